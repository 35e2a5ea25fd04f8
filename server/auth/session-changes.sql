-- Open event streams of these people check their rights again; a notice that would be too long means all people.
-- Customers have no streams.
create or replace function tell_people(p_ids integer[]) returns void language sql as $$
  select pg_notify('sessions', case when cardinality(p_ids) > 500 then '' else array_to_string(p_ids, ',') end)
  where cardinality(p_ids) > 0
$$;

create or replace function tell_sessions() returns trigger language plpgsql as $$
begin
  perform tell_people(array(
    select distinct p.id from gone g
    cross join lateral (values (g.user_id), (g.impersonator_id)) as p (id)
    where p.id is not null and (g.impersonator_id is not null
      or not exists (select from users u where u.id = g.user_id and u.role = 'customer'))));
  return null;
end $$;

create or replace function tell_session() returns trigger language plpgsql as $$
begin
  perform tell_people(array_remove(array[old.user_id, old.impersonator_id], null));
  return null;
end $$;

create or replace function tell_rights() returns trigger language plpgsql as $$
begin
  perform tell_people(array[old.id]);
  return null;
end $$;

create or replace function tell_roles() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', '');
  return null;
end $$;

create or replace trigger tell_sessions after delete on sessions referencing old table as gone
  for each statement execute function tell_sessions();

create or replace trigger tell_session after update on sessions for each row
  when ((old.user_id, old.impersonator_id) is distinct from (new.user_id, new.impersonator_id))
  execute function tell_session();

create or replace trigger tell_rights after update of role, preset, vendor_id, permissions, is_active on users for each row
  when ((old.role, old.preset, old.vendor_id, old.permissions, old.is_active)
    is distinct from (new.role, new.preset, new.vendor_id, new.permissions, new.is_active))
  execute function tell_rights();

create or replace trigger tell_roles after update or delete on user_roles for each statement execute function tell_roles();

create or replace function tell_key() returns trigger language plpgsql as $$
begin
  perform tell_people(array[old.created_by]);
  return null;
end $$;

create or replace trigger tell_key after update of revoked_at on api_keys for each row
  when (old.revoked_at is distinct from new.revoked_at) execute function tell_key();
create or replace trigger tell_key_gone after delete on api_keys for each row execute function tell_key();
