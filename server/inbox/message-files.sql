-- See media/media.sql.
create or replace trigger delete_unused_media after delete on message_files
  for each row when (old.sha256 is not null) execute function delete_unused_media();
