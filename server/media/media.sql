-- Deletes a private file with the last message that has it, in the same transaction.
create or replace function delete_unused_media() returns trigger language plpgsql as $$
begin
  -- Waits for transactions that store or delete the same file; the next statement sees what they committed.
  perform from media where sha256 = old.sha256 for update;
  delete from media where sha256 = old.sha256 and public_until is null
    and not exists (select from message_files where sha256 = old.sha256);
  return null;
end $$;

-- Extends the time of public files in use; the others become private or, if no message has them, are deleted.
create or replace function purge_media() returns void language plpgsql as $$
declare
  v_expired text[];
begin
  -- Locked before the use is read: a product that is saved later finds its picture gone (`missingPictures`), one that
  -- was saved before is seen below. Skips pictures of products that are being saved.
  select array_agg(sha256) into v_expired from (
    select sha256 from media m where public_until < now()
      or (public_until is null and not exists (select from message_files f where f.sha256 = m.sha256))
    for update skip locked) expired;
  update media set public_until = now() + interval '7 days'
    where public_until is not null and '/media/' || sha256 in (
      select image_url from products union all select logo_url from vendors
      union all select image_url from order_items union all select vendor_logo from orders
      union all select left(heading, 71) from template_campaigns,
        lateral (values (global_variables ->> 'header'), (second_variables ->> 'header')) value (heading));
  update media set public_until = null where sha256 = any(v_expired) and public_until < now();
  -- The next product with the address has it fetched again.
  delete from remote_pictures r using media m
    where m.sha256 = r.sha256 and m.sha256 = any(v_expired) and m.public_until is null;
  delete from media m where sha256 = any(v_expired) and public_until is null
    and not exists (select from message_files f where f.sha256 = m.sha256);
end $$;
