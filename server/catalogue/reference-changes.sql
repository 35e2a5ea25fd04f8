-- Every process holds these tables in memory and reloads them after a change.
create or replace function tell_reference() returns trigger language plpgsql as $$
begin
  perform pg_notify('reference', tg_table_name);
  return null;
end $$;

create or replace trigger tell_reference after insert or update or delete or truncate on vendors for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on vendor_delivery_areas for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on products for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on areas for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on blocks for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on holidays for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on settings for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on remote_pictures for each statement execute function tell_reference();


create or replace trigger tell_reference after insert or update or delete or truncate on bottle_types for each statement execute function tell_reference();

create or replace trigger tell_reference after insert or update or delete or truncate on vendor_business for each statement execute function tell_reference();
