-- Incidents that are open or ended lately, of one organization: what the list by uptime, the overview and the incidents
-- of a week look for. There are few thousands of rows: the index is made in the blink of an eye.
create index incidents_by_end on incidents (org_id, resolved_at);
