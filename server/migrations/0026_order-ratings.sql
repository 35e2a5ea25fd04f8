CREATE TABLE "order_ratings" (
	"order_id" text PRIMARY KEY NOT NULL,
	"vendor_id" integer NOT NULL,
	"driver_id" integer,
	"water" text,
	"driver" text,
	"first_bad_at" timestamp (3) with time zone,
	"rated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_ratings_water" CHECK ("order_ratings"."water" in ('good','fair','bad')),
	CONSTRAINT "order_ratings_driver" CHECK ("order_ratings"."driver" in ('good','fair','bad'))
);
--> statement-breakpoint
ALTER TABLE "order_ratings" ADD CONSTRAINT "order_ratings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_ratings" ADD CONSTRAINT "order_ratings_vendor_id_vendors_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_ratings" ADD CONSTRAINT "order_ratings_driver_id_users_id_fk" FOREIGN KEY ("driver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_ratings_of_vendor" ON "order_ratings" USING btree ("vendor_id","rated_at");--> statement-breakpoint
CREATE INDEX "order_ratings_of_driver" ON "order_ratings" USING btree ("driver_id","rated_at");