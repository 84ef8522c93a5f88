-- The place in a trace that a delivery belongs to, as W3C Trace Context writes it; null unless traces are exported.
alter table deliveries add column traceparent text check (char_length(traceparent) = 55);
