-- Replaces addresses of other sites by the pictures that were fetched from them (media/remote-pictures.sql). Writes only
-- changes, because each write makes every process reload the reference data.
create or replace function show_fetched_vendor_logos() returns void language plpgsql as $$
begin
  -- Keeps the pictures from being purged now; the next statements do not see those purged before.
  perform from media where sha256 in (
    select r.sha256 from remote_pictures r join vendors v on v.logo_url = r.url) for key share;
  if exists (select from vendors v join remote_pictures r on r.url = v.logo_url and r.sha256 is not null) then
    update vendors v set logo_url = '/media/' || r.sha256, updated_at = now()
      from remote_pictures r where r.url = v.logo_url and r.sha256 is not null;
  end if;
end $$;
