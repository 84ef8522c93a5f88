-- Nothing yet: numbers have no gap.
select 1;
