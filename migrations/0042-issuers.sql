-- The issuer of the certificate of an SSL monitor, or the registrar of the domain of a DOMAIN monitor, as last seen.
alter table monitor_states add column issuer text;
-- Every row has null so far, so that none has to be read.
alter table monitor_states
  add constraint monitor_states_issuer_check check (char_length(issuer) <= 120) not valid;
