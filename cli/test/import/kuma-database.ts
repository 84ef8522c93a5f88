// A database of Uptime Kuma, with the tables and columns of version 1.23 or 2.5.
import { DatabaseSync } from 'node:sqlite'
import { KUMA_2_TABLES } from './kuma-schema.ts'

const MONITOR_1 = `id integer primary key autoincrement, name varchar(150), active boolean default 1 not null,
  user_id integer, interval integer default 20 not null, url text, type varchar(20), weight integer default 2000,
  hostname varchar(255), port integer, created_date datetime default (datetime('now')) not null, keyword varchar(255),
  maxretries integer not null default 0, ignore_tls boolean default 0 not null, upside_down boolean default 0 not null,
  maxredirects integer default 10 not null, accepted_statuscodes_json text default '["200-299"]' not null,
  dns_resolve_type varchar(5), dns_resolve_server varchar(255), dns_last_result varchar(255),
  retry_interval integer default 0 not null, push_token varchar(20), method text default 'GET' not null, body text,
  headers text, basic_auth_user text, basic_auth_pass text, docker_host integer, docker_container varchar(255),
  proxy_id integer, expiry_notification boolean default 1, mqtt_topic text, mqtt_success_message varchar(255),
  mqtt_username varchar(255), mqtt_password varchar(255), database_connection_string varchar(2000), database_query text,
  auth_method varchar(250), auth_domain text, auth_workstation text, grpc_url varchar(255), grpc_protobuf text,
  grpc_body text, grpc_metadata text, grpc_method text, grpc_service_name text,
  grpc_enable_tls boolean default 0 not null, radius_username varchar(255), radius_password varchar(255),
  radius_calling_station_id varchar(50), radius_called_station_id varchar(50), radius_secret varchar(255),
  resend_interval integer default 0 not null, packet_size integer default 56 not null, game varchar(255),
  http_body_encoding varchar(25), description text, tls_ca text, tls_cert text, tls_key text, parent integer,
  invert_keyword boolean default 0 not null, json_path text, expected_value varchar(255),
  kafka_producer_topic varchar(255), kafka_producer_brokers text, kafka_producer_ssl integer,
  kafka_producer_allow_auto_topic_creation varchar(255), kafka_producer_sasl_options text, kafka_producer_message text,
  oauth_client_id text, oauth_client_secret text, oauth_token_url text, oauth_scopes text, oauth_auth_method text,
  timeout double default 0 not null, gamedig_given_port_only boolean default 1 not null`
const TABLES_1 = `create table monitor (${MONITOR_1});
  create table notification (id integer primary key, name varchar(255), config varchar(255), active boolean default 1,
    user_id integer, is_default boolean default 0);
  create table monitor_notification (id integer primary key autoincrement, monitor_id integer, notification_id integer);
  create table tag (id integer primary key, name varchar(255), color varchar(255));
  create table monitor_tag (id integer primary key autoincrement, monitor_id integer, tag_id integer, value text);
  create table status_page (id integer primary key, slug varchar(255), title varchar(255), description text,
    icon varchar(255) default '/icon.svg', theme varchar(30) default 'auto', published boolean default 1,
    search_engine_index boolean default 1, show_tags boolean default 0, password varchar, footer_text text,
    custom_css text, show_powered_by boolean default 1, google_analytics_tag_id varchar);
  create table status_page_cname (id integer primary key autoincrement, status_page_id integer, domain varchar);
  create table "group" (id integer primary key, name varchar(255), public boolean default 1, active boolean default 1,
    weight integer default 1000, status_page_id integer);
  create table monitor_group (id integer primary key autoincrement, monitor_id integer, group_id integer,
    weight integer default 1000, send_url boolean default 0);
  create table maintenance (id integer primary key, title varchar(150), description text default '', user_id integer,
    active boolean default 1, strategy varchar(50) default 'single', start_date datetime, end_date datetime,
    start_time time, end_time time, weekdays varchar(250) default '[]', days_of_month text default '[]',
    interval_day integer, cron text, timezone varchar(255), duration integer);
  create table monitor_maintenance (id integer primary key autoincrement, monitor_id integer, maintenance_id integer);
  create table maintenance_status_page (id integer primary key autoincrement, status_page_id integer, maintenance_id integer);
  create table incident (id integer primary key, title varchar(255), content text, style varchar(30),
    pin boolean default 1, active boolean default 1, status_page_id integer);
  create table setting (id integer primary key autoincrement, key varchar(200), value text, type varchar(20));
  create table heartbeat (id integer primary key, monitor_id integer, status smallint, time datetime);`

const TABLES_2 = Object.entries(KUMA_2_TABLES)
  .map(([table, columns]) => `create table "${table}" (${columns});`)
  .join('\n')

// Columns that Uptime Kuma always fills.
const FILLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  maintenance: { description: '' },
  status_page: { icon: '/icon.svg', theme: 'auto' },
  tag: { color: '#059669' },
}

type Cell = string | number | null
export type KumaRows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

export function makeKumaDatabase(path: string, version: 1 | 2, tables: KumaRows): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = wal')
    database.exec(version === 1 ? TABLES_1 : TABLES_2)
    database.exec('begin')
    for (const [table, rows] of Object.entries(tables))
      for (const given of rows) {
        const row = { ...FILLED[table], ...given }
        const columns = Object.keys(row)
        const marks = columns.map(() => '?').join(', ')
        database
          .prepare(`insert into "${table}" (${columns.join(', ')}) values (${marks})`)
          .run(...Object.values(row))
      }
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** One of everything that a small team has. */
export const TEAM: KumaRows = {
  setting: [
    { key: 'tlsExpiryNotifyDays', value: '[7,14,21]' },
    { key: 'primaryBaseURL', value: '"https://kuma.example.com"' },
    { key: 'serverTimezone', value: '"Europe/Berlin"' },
  ],
  notification: [
    { id: 1, name: 'Team', config: '{"type":"smtp","smtpTo":"ops@example.com, dev@example.com"}' },
    {
      id: 2,
      name: 'Chat',
      config: '{"type":"slack","slackwebhookURL":"https://hooks.slack.com/services/T/B/planted"}',
    },
    { id: 3, name: 'Phone', config: '{"type":"clicksendsms"}' },
  ],
  tag: [{ id: 1, name: 'Production', color: '#f00' }],
  monitor: [
    { id: 1, name: 'Group', type: 'group', interval: 60 },
    {
      id: 2,
      name: 'Shop',
      type: 'http',
      url: 'https://shop.example.com/',
      interval: 60,
      timeout: 30,
      parent: 1,
      maxretries: 2,
      headers: '{"X-Api-Key":"planted-header","Accept":"text/html"}',
      basic_auth_user: 'probe',
      basic_auth_pass: 'planted-password',
      auth_method: 'basic',
    },
    {
      id: 3,
      name: 'Login',
      type: 'keyword',
      url: 'https://shop.example.com/login',
      keyword: ' Welcome',
      invert_keyword: 1,
      interval: 20,
      timeout: 16,
      accepted_statuscodes_json: '["200-299","300-399"]',
    },
    {
      id: 4,
      name: 'Database',
      type: 'port',
      hostname: 'db.example.com',
      port: 5432,
      interval: 60,
      timeout: 10,
    },
    {
      id: 5,
      name: 'Router',
      type: 'ping',
      hostname: '192.0.2.1',
      interval: 60,
      timeout: 10,
      active: 0,
    },
    {
      id: 6,
      name: 'Names',
      type: 'dns',
      hostname: 'example.com',
      dns_resolve_type: 'MX',
      dns_resolve_server: '1.1.1.1',
      interval: 60,
      timeout: 10,
    },
    {
      id: 7,
      name: 'Backup',
      type: 'push',
      push_token: 'eYaNuTzjHT',
      interval: 3600,
      maxretries: 1,
      retry_interval: 600,
    },
    { id: 8, name: 'Queue', type: 'mqtt', hostname: 'mq.example.com', port: 1883, interval: 60 },
    {
      id: 9,
      name: 'Trap',
      type: 'http',
      url: 'https://trap.example.com/',
      upside_down: 1,
      interval: 60,
    },
  ],
  monitor_notification: [
    { monitor_id: 2, notification_id: 1 },
    { monitor_id: 2, notification_id: 2 },
    { monitor_id: 2, notification_id: 3 },
  ],
  monitor_tag: [{ monitor_id: 2, tag_id: 1, value: 'eu' }],
  status_page: [{ id: 1, slug: 'shop', title: 'Shop status', theme: 'dark', custom_css: 'body{}' }],
  status_page_cname: [{ status_page_id: 1, domain: 'status.example.com' }],
  group: [{ id: 1, name: 'Web', status_page_id: 1 }],
  monitor_group: [
    { monitor_id: 3, group_id: 1, weight: 2 },
    { monitor_id: 2, group_id: 1, weight: 1 },
    { monitor_id: 8, group_id: 1, weight: 3 },
  ],
  maintenance: [
    {
      id: 1,
      title: 'Nightly',
      strategy: 'recurring-interval',
      interval_day: 1,
      start_time: '02:00:00',
      end_time: '03:30:00',
      timezone: 'Europe/Berlin',
    },
    {
      id: 2,
      title: 'Weekly',
      strategy: 'recurring-weekday',
      weekdays: '[0,3]',
      start_time: '23:30',
      end_time: '00:30',
      timezone: 'SAME_AS_SERVER',
    },
    {
      id: 3,
      title: 'Monthly',
      strategy: 'recurring-day-of-month',
      days_of_month: '[1,"lastDay1"]',
      start_time: '05:00',
      end_time: '06:00',
    },
    {
      id: 4,
      title: 'Past',
      strategy: 'single',
      start_date: '2020-01-01 00:00:00',
      end_date: '2020-01-01 01:00:00',
    },
    { id: 5, title: 'By cron', strategy: 'cron', cron: '0 3 * * *' },
  ],
  monitor_maintenance: [1, 2, 3, 4, 5].map((maintenance_id) => ({ monitor_id: 2, maintenance_id })),
  maintenance_status_page: [{ status_page_id: 1, maintenance_id: 1 }],
  incident: [{ id: 1, title: 'Slow today', content: 'We look into it.', style: 'warning' }],
}
