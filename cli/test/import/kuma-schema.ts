// The tables of Uptime Kuma 2.5.3 that an import can meet: names, types and defaults of their columns.
export const KUMA_2_TABLES: Readonly<Record<string, string>> = {
  monitor: `id integer primary key autoincrement, name varchar(150), active boolean default 1 not null, user_id
    integer, interval integer default 20 not null, url text, type varchar(20), weight integer default
    2000, hostname varchar(255), port integer, created_date datetime default (datetime('now')) not null,
    keyword varchar(255), maxretries integer default 0 not null, ignore_tls boolean default 0 not null,
    upside_down boolean default 0 not null, maxredirects integer default 10 not null,
    accepted_statuscodes_json text default '["200-299"]' not null, dns_resolve_type varchar(5),
    dns_resolve_server varchar(255), dns_last_result text, retry_interval integer default 0 not null,
    push_token varchar(32), method text default 'GET' not null, body text, headers text, basic_auth_user
    text, basic_auth_pass text, docker_host integer, docker_container varchar(255), proxy_id integer,
    expiry_notification boolean default 1, mqtt_topic text, mqtt_success_message varchar(255),
    mqtt_username varchar(255), mqtt_password varchar(255), database_connection_string varchar(2000),
    database_query text, auth_method varchar(250), auth_domain text, auth_workstation text, grpc_url
    varchar(255), grpc_protobuf text, grpc_body text, grpc_metadata text, grpc_method text,
    grpc_service_name text, grpc_enable_tls boolean default 0 not null, radius_username varchar(255),
    radius_password varchar(255), radius_calling_station_id varchar(50), radius_called_station_id
    varchar(50), radius_secret varchar(255), resend_interval integer default 0 not null, packet_size
    integer default 56 not null, game varchar(255), http_body_encoding varchar(25), description text,
    tls_ca text, tls_cert text, tls_key text, parent integer, invert_keyword boolean default 0 not null,
    json_path text, expected_value varchar(255), kafka_producer_topic varchar(255),
    kafka_producer_brokers text, kafka_producer_ssl boolean default 0 not null,
    kafka_producer_allow_auto_topic_creation boolean default 0 not null, kafka_producer_sasl_options
    text, kafka_producer_message text, oauth_client_id text, oauth_client_secret text, oauth_token_url
    text, oauth_scopes text, oauth_auth_method text, timeout double default 0 not null,
    gamedig_given_port_only boolean default 1 not null, mqtt_check_type varchar(255) default 'keyword'
    not null, remote_browser integer, snmp_oid varchar(255), snmp_version text default '2c',
    json_path_operator varchar(255), cache_bust boolean default 0 not null, conditions text default '[]'
    not null, rabbitmq_nodes text, rabbitmq_username varchar(255), rabbitmq_password varchar(255),
    smtp_security varchar(255), ws_ignore_sec_websocket_accept_header boolean default 0 not null,
    ws_subprotocol varchar(255) default '' not null, ping_count integer default 1 not null, ping_numeric
    boolean default 1 not null, ping_per_request_timeout integer default 2 not null, ip_family
    varchar(4), manual_status smallint, oauth_audience varchar(255), mqtt_websocket_path varchar(255),
    domain_expiry_notification boolean default 1, save_response boolean default 0 not null,
    save_error_response boolean default 1 not null, response_max_length integer default 1024 not null,
    system_service_name varchar(255), subtype varchar(10), location varchar(255), protocol varchar(20),
    snmp_v3_username varchar(255), expected_tls_alert varchar(50), retry_only_on_status_code_failure
    boolean default 0 not null, screenshot_delay integer default 0 not null, ntp_stratum_threshold
    integer default 5, ntp_time_offset_threshold integer default 1000, ntp_root_dispersion_threshold
    integer default 500, bearer_token text, gamedig_token text`,
  notification: `id integer primary key autoincrement, name varchar(255), active boolean default 1 not null, user_id
    integer, is_default boolean default 0 not null, config text`,
  monitor_notification: `id integer primary key autoincrement, monitor_id integer not null, notification_id integer not null`,
  tag: `id integer primary key autoincrement, name varchar(255) not null, color varchar(255) not null,
    created_date datetime default (datetime('now')) not null`,
  monitor_tag: `id integer primary key autoincrement, monitor_id integer not null, tag_id integer not null, value
    text`,
  status_page: `id integer primary key autoincrement, slug varchar(255) not null, title varchar(255) not null,
    description text, icon varchar(255) not null, theme varchar(30) not null, published boolean default
    1 not null, search_engine_index boolean default 1 not null, show_tags boolean default 0 not null,
    password varchar(255), created_date datetime default (datetime('now')) not null, modified_date
    datetime default (datetime('now')) not null, footer_text text, custom_css text, show_powered_by
    boolean default 1 not null, analytics_id varchar(255), show_certificate_expiry boolean default 0 not
    null, auto_refresh_interval integer default 300, analytics_script_url varchar(255),
    show_only_last_heartbeat boolean default 0 not null, rss_title varchar(255), analytics_type
    varchar(255)`,
  status_page_cname: `id integer primary key autoincrement, status_page_id integer, domain varchar(255) not null`,
  group: `id integer primary key autoincrement, name varchar(255) not null, created_date datetime default
    (datetime('now')) not null, public boolean default 0 not null, active boolean default 1 not null,
    weight integer default 1000 not null, status_page_id integer`,
  monitor_group: `id integer primary key autoincrement, monitor_id integer not null, group_id integer not null, weight
    integer default 1000 not null, send_url boolean default 0 not null, custom_url text`,
  maintenance: `id integer primary key autoincrement, title varchar(150) not null, description text not null,
    user_id integer, active boolean default 1 not null, strategy varchar(50) default 'single' not null,
    start_date datetime, end_date datetime, start_time time, end_time time, weekdays varchar(250)
    default '[]', days_of_month text default '[]', interval_day integer, cron text, timezone
    varchar(255), duration integer, last_start_date datetime`,
  monitor_maintenance: `id integer primary key autoincrement, monitor_id integer not null, maintenance_id integer not null`,
  maintenance_status_page: `id integer primary key autoincrement, status_page_id integer not null, maintenance_id integer not
    null`,
  incident: `id integer primary key autoincrement, title varchar(255) not null, content text not null, style
    varchar(30) default 'warning' not null, created_date datetime default (datetime('now')) not null,
    last_updated_date datetime, pin boolean default 1 not null, active boolean default 1 not null,
    status_page_id integer`,
  setting: `id integer primary key autoincrement, key varchar(200) not null, value text, type varchar(20)`,
  heartbeat: `id integer primary key autoincrement, important boolean default 0 not null, monitor_id integer not
    null, status smallint not null, msg text, time datetime not null, ping bigint, duration integer
    default 0 not null, down_count integer default 0 not null, end_time datetime, retries integer
    default 0 not null, response text`,
  docker_host: `id integer primary key autoincrement, user_id integer not null, docker_daemon varchar(255),
    docker_type varchar(255), name varchar(255)`,
  proxy: `id integer primary key autoincrement, user_id integer not null, protocol varchar(10) not null, host
    varchar(255) not null, port integer, auth boolean not null, username varchar(255), password
    varchar(255), active boolean default 1 not null, "default" boolean default 0 not null, created_date
    datetime default (datetime('now')) not null`,
  remote_browser: `id integer primary key autoincrement, name varchar(255) not null, url varchar(255) not null, user_id
    integer`,
  domain_expiry: `id integer primary key autoincrement, last_check datetime, domain varchar(255) not null, expiry
    datetime, last_expiry_notification_sent integer`,
}
