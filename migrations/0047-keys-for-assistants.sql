-- Whether an assistant that connects over HTTP with this key may change something. Only for full keys.
alter table api_keys add column mcp_writes boolean not null default false;
-- Every row has false so far, so that none has to be read.
alter table api_keys
  add constraint api_keys_mcp_writes_check check (not mcp_writes or access = 'FULL') not valid;
