-- Whether the monitor of a span belongs to the organization is looked up for each span. Without "offset 0" PostgreSQL may
-- collect all monitors of the organization first, in every statement: it assumes that all organizations have the same size,
-- and pausing one monitor of 100,000 took 430 ms.
alter policy tenant on state_spans
  using (exists (select from monitors m where m.no = monitor_no offset 0));
alter policy tenant_write on state_spans
  using (exists (select from monitors m where m.no = monitor_no offset 0))
  with check (exists (select from monitors m where m.no = monitor_no offset 0));
alter policy tenant on maintenance_spans
  using (exists (select from monitors m where m.no = monitor_no offset 0));
alter policy tenant_write on maintenance_spans
  using (exists (select from monitors m where m.no = monitor_no offset 0))
  with check (exists (select from monitors m where m.no = monitor_no offset 0));
