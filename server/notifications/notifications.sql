-- Serializes writers until their commit, so that ids become visible in order: a reader who has read up to an id missed
-- none below it. The writers are jobs that hold no other lock.
create or replace function count_in_order() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7301978, hashtext(tg_table_name));
  return null;
end $$;

create or replace function tell_notifications() returns trigger language plpgsql as $$
begin
  perform pg_notify('notifications', '');
  return null;
end $$;

create or replace trigger count_in_order before insert on notifications for each statement execute function count_in_order();

create or replace trigger tell_notifications after insert on notifications for each statement execute function tell_notifications();
