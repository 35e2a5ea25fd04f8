ALTER TABLE "cash_closings" ADD COLUMN "equation" jsonb;--> statement-breakpoint
-- An order that is paid without an entry was paid to the office, to a person who is not known. These entries state what was
-- already so on days that may be closed.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'cash_day_open' AND tgrelid = 'ledger_entries'::regclass) THEN
    ALTER TABLE ledger_entries DISABLE TRIGGER cash_day_open;
  END IF;
END $$;--> statement-breakpoint
INSERT INTO ledger_entries (vendor_id, holder, day, kind, means, amount, due, order_id, key, happened_at)
SELECT vendor_id, 'office', (paid_at AT TIME ZONE 'Asia/Bahrain')::date, 'payment', means, missing, missing, id, 'migrated:' || id, paid_at
FROM (
  SELECT o.id, o.vendor_id, coalesce(o.delivered_at, o.updated_at) AS paid_at,
    CASE o.payment_method WHEN 'card' THEN 'card' WHEN 'online' THEN 'benefitpay' WHEN 'bank_transfer' THEN 'transfer' ELSE 'cash' END AS means,
    CASE WHEN o.payment_status = 'paid' THEN o.total - coalesce(r.received, 0) ELSE o.paid_to_office END AS missing
  FROM orders o
  LEFT JOIN (
    SELECT order_id, sum(amount) AS received FROM ledger_entries
    WHERE order_id IS NOT NULL AND kind IN ('collected', 'correction') GROUP BY order_id
  ) r ON r.order_id = o.id
  WHERE o.payment_status = 'paid' OR o.paid_to_office > 0
) paid
WHERE missing > 0 ORDER BY id;--> statement-breakpoint
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'cash_day_open' AND tgrelid = 'ledger_entries'::regclass) THEN
    ALTER TABLE ledger_entries ENABLE TRIGGER cash_day_open;
  END IF;
END $$;
