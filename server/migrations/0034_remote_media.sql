CREATE TABLE "media" (
	"sha256" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_pictures" (
	"url" text PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"sha256" text,
	"problem" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "remote_pictures_status" CHECK ("remote_pictures"."status" in ('waiting','fetched','failed')),
	CONSTRAINT "remote_pictures_fetched" CHECK (("remote_pictures"."status" = 'fetched') = ("remote_pictures"."sha256" is not null))
);
--> statement-breakpoint
ALTER TABLE "remote_pictures" ADD CONSTRAINT "remote_pictures_sha256_media_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."media"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "remote_pictures_due" ON "remote_pictures" USING btree ("next_attempt_at") WHERE "remote_pictures"."status" = 'waiting';--> statement-breakpoint
-- Addresses of other sites in products and vendors are noted once; where one has been fetched, the picture takes its place.
-- Nothing is written where nothing changes: each write makes every process read the reference data again.
create function collect_remote_pictures() returns void language plpgsql as $$
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
  if exists (select from products p join remote_pictures r on r.url = p.image_url and r.sha256 is not null) then
    update products p set image_url = '/media/' || r.sha256, updated_at = now()
      from remote_pictures r where r.url = p.image_url and r.sha256 is not null;
  end if;
  if exists (select from vendors v join remote_pictures r on r.url = v.logo_url and r.sha256 is not null) then
    update vendors v set logo_url = '/media/' || r.sha256, updated_at = now()
      from remote_pictures r where r.url = v.logo_url and r.sha256 is not null;
  end if;
end $$;
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on remote_pictures for each statement execute function tell_reference();
