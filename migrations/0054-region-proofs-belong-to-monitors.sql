-- Apart from the rows that 0053 fills in, because this blocks others.
delete from region_proofs p where not exists (select from monitors m where m.no = p.monitor_no);
lock table region_proofs in access exclusive mode;
alter table region_proofs
  add foreign key (org_id, monitor_no) references monitors (org_id, no) on delete cascade;
-- A private target whose region is gone stays unchecked until a region is chosen after that.
alter table organizations add column home_chosen_at timestamptz;
