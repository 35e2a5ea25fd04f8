ALTER TABLE "staff_invitations" ADD COLUMN "preset" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "preset" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_preset" CHECK ("users"."preset" is null or ("users"."preset" = 'agent' and "users"."role" = 'vendor_staff')) NOT VALID;