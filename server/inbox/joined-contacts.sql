-- See conversations/join-contacts.sql.
create or replace trigger move_conversation_notes before delete on contacts
  for each row when (current_setting('qatra.joined_into', true) <> '') execute function move_rows_of_contact('conversation_notes');
