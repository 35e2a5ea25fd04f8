-- Registers addresses of other sites in products and vendors.
create or replace function collect_remote_pictures() returns void language plpgsql as $$
declare
  v_new text[];
begin
  select array_agg(url) into v_new from (
    select image_url as url from products where image_url ilike 'https://%' and deleted_at is null
    union select logo_url from vendors where logo_url ilike 'https://%'
    except select url from remote_pictures) given;
  if v_new is not null then
    insert into remote_pictures (url) select unnest(v_new) on conflict do nothing;
  end if;
end $$;
