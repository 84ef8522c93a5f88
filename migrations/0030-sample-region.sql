-- The degraded rule compares response times of one region. Which one they come from is written beside them,
-- so that a change of the home region starts over instead of mixing two.
alter table monitor_states add column samples_region smallint;
