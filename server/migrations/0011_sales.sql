-- All of it is in ledger_entries since 0008; a version that writes it ends before the upgrade (docs/scaling.md).
DROP TABLE "cash_entries" CASCADE;--> statement-breakpoint
DROP FUNCTION copy_cash_to_ledger();--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_holder";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_amount";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_names_order";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK (case "ledger_entries"."ledger" when 'money' then "ledger_entries"."kind" in ('collected','counted','handed-over','correction','payment')
        else "ledger_entries"."kind" in ('delivered','taken-back','corrected') end) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_holder" CHECK (case "ledger_entries"."ledger" when 'money' then "ledger_entries"."holder" = 'office' or "ledger_entries"."holder" = 'driver' and "ledger_entries"."holder_id" is not null
        else "ledger_entries"."holder" = 'vendor' end) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" >= 0 or "ledger_entries"."kind" in ('correction','payment','taken-back','corrected')) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_names_order" CHECK ("ledger_entries"."order_id" is not null or "ledger_entries"."kind" in ('counted','handed-over','correction')) NOT VALID;--> statement-breakpoint
-- What follows states what was already so on days that may be closed.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'cash_day_open' AND tgrelid = 'ledger_entries'::regclass) THEN
    ALTER TABLE ledger_entries DISABLE TRIGGER cash_day_open;
  END IF;
END $$;--> statement-breakpoint
-- Each delivery on the day on which it counted.
INSERT INTO ledger_entries (ledger, vendor_id, holder, day, kind, amount, due, order_id, key, created_by, on_behalf_of, happened_at)
SELECT 'sales', o.vendor_id, 'vendor', (o.delivered_at AT TIME ZONE 'Asia/Bahrain')::date, 'delivered', o.total, 0, o.id,
  'migrated:' || o.id, h.changed_by, h.on_behalf_of, o.delivered_at
FROM orders o
LEFT JOIN LATERAL (
  SELECT changed_by, on_behalf_of FROM order_audit_history
  WHERE order_id = o.id AND field_changed = 'status' AND new_value = 'delivered' ORDER BY id DESC LIMIT 1
) h ON true
WHERE o.status = 'delivered' AND o.delivered_at IS NOT NULL ORDER BY o.id;--> statement-breakpoint
-- What changed in the totals of orders with payments, on the day on which it counted: the first one that was open then. The
-- total of a delivery counted from its own time, also if it was reported later.
INSERT INTO ledger_entries (ledger, vendor_id, holder, day, kind, amount, due, order_id, key, happened_at)
SELECT 'sales', c.vendor_id, 'vendor',
  (SELECT min((c.at AT TIME ZONE 'Asia/Bahrain')::date + n) FROM generate_series(0, 366) n WHERE NOT EXISTS (
    SELECT FROM cash_closings d WHERE d.vendor_id = c.vendor_id AND d.day = (c.at AT TIME ZONE 'Asia/Bahrain')::date + n
      AND d.reopened_at IS NULL AND d.closed_at <= c.at)),
  'corrected', 0, c.due, c.id, 'migrated:' || c.id || ':' || c.first, c.at
FROM (
  SELECT m.id, m.vendor_id, m.at, m.first, sum(m.sign * CASE
    WHEN coalesce((SELECT old_value FROM order_audit_history
      WHERE order_id = m.id AND field_changed = 'status' AND id >= m.since ORDER BY id LIMIT 1), m.status) = 'cancelled' THEN 0
    ELSE coalesce((SELECT old_value::numeric * 1000 FROM order_audit_history
      WHERE order_id = m.id AND field_changed = 'total' AND id >= m.since ORDER BY id LIMIT 1), m.total) END) AS due
  FROM (
    SELECT o.id, o.vendor_id, o.status, o.total, least(h.changed_at, o.delivered_at) AS at, min(h.id) AS first, s.sign,
      CASE s.sign WHEN 1 THEN max(h.id) + 1 ELSE min(h.id) END AS since
    FROM orders o
    JOIN order_audit_history h ON h.order_id = o.id
      AND (h.field_changed = 'total' OR h.field_changed = 'status' AND 'cancelled' IN (h.old_value, h.new_value))
    CROSS JOIN (VALUES (-1), (1)) s (sign)
    WHERE EXISTS (SELECT FROM ledger_entries e WHERE e.order_id = o.id AND e.kind IN ('collected', 'payment', 'correction'))
    GROUP BY o.id, h.changed_at, s.sign
  ) m GROUP BY m.id, m.vendor_id, m.at, m.first
) c WHERE c.due <> 0 ORDER BY c.id, c.first;--> statement-breakpoint
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'cash_day_open' AND tgrelid = 'ledger_entries'::regclass) THEN
    ALTER TABLE ledger_entries ENABLE TRIGGER cash_day_open;
  END IF;
END $$;
