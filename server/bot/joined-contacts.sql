-- See conversations/join-contacts.sql. The session of the kept contact wins.
create or replace function move_bot_session() returns trigger language plpgsql as $$
declare
  v_kept constant integer := current_setting('qatra.joined_into');
begin
  update bot_sessions set contact_id = v_kept where contact_id = old.id
    and not exists (select from bot_sessions where contact_id = v_kept);
  return old;
end $$;

create or replace trigger move_bot_sessions before delete on contacts
  for each row when (current_setting('qatra.joined_into', true) <> '') execute function move_bot_session();

create or replace trigger move_bot_misses before delete on contacts
  for each row when (current_setting('qatra.joined_into', true) <> '') execute function move_rows_of_contact('bot_misses');

create or replace trigger move_bot_message_history before delete on contacts
  for each row when (current_setting('qatra.joined_into', true) <> '') execute function move_rows_of_contact('bot_message_history');
