ALTER TABLE "media" DROP CONSTRAINT "media_picture";--> statement-breakpoint
ALTER TABLE "media" DROP CONSTRAINT "media_public";--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_picture" CHECK (("media"."mime_type" in ('image/webp','image/jpeg')) = ("media"."width" is not null and "media"."height" is not null));--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_public" CHECK ("media"."public_until" is null or "media"."mime_type" in ('image/webp','image/jpeg','application/pdf'));