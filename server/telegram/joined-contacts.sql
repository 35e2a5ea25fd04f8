-- See conversations/join-contacts.sql.
create or replace trigger move_telegram_messages before delete on contacts
  for each row when (current_setting('qatra.joined_into', true) <> '') execute function move_rows_of_contact('telegram_messages');
