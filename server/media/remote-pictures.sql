-- Registers addresses of other sites in products and vendors, and replaces fetched ones by the stored picture. Writes
-- only changes, because each write makes every process reload the reference data.
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
  -- Keeps fetched pictures from being purged now; the next statements do not see those purged before.
  perform from media where sha256 in (select r.sha256 from remote_pictures r where r.url in (
    select image_url from products union all select logo_url from vendors)) for key share;
  if exists (select from products p join remote_pictures r on r.url = p.image_url and r.sha256 is not null) then
    update products p set image_url = '/media/' || r.sha256, updated_at = now()
      from remote_pictures r where r.url = p.image_url and r.sha256 is not null;
  end if;
  if exists (select from vendors v join remote_pictures r on r.url = v.logo_url and r.sha256 is not null) then
    update vendors v set logo_url = '/media/' || r.sha256, updated_at = now()
      from remote_pictures r where r.url = v.logo_url and r.sha256 is not null;
  end if;
end $$;
