-- Every process holds the entered keys in memory and reads them again after a change.
create or replace function tell_whatsapp_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('reference', tg_table_name);
  return null;
end $$;

create or replace trigger tell_whatsapp_keys after insert or update or delete or truncate on whatsapp_keys for each statement execute function tell_whatsapp_keys();
