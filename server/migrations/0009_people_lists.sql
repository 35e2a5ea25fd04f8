CREATE INDEX "customer_totals_by_spend" ON "customer_totals" USING btree ("vendor_id","spend" DESC NULLS LAST,"user_id");--> statement-breakpoint
CREATE INDEX "customer_totals_by_orders" ON "customer_totals" USING btree ("vendor_id","order_count" DESC NULLS LAST,"user_id");--> statement-breakpoint
CREATE INDEX "users_last_active" ON "users" USING btree ("last_active_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);