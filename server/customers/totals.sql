-- Counts, spend and first and last order of each customer, for each vendor and (vendor 0) for all.
create or replace function count_new_orders() returns trigger language plpgsql as $$
begin
  insert into customer_totals as t
    (user_id, vendor_id, order_count, cancelled_count, own_count, spend, first_order_at, last_order_at)
  select n.user_id, v.id, count(*), count(*) filter (where n.status = 'cancelled'),
    count(*) filter (where n.placed_by is null), coalesce(sum(n.total) filter (where n.status <> 'cancelled'), 0),
    min(n.created_at), max(n.created_at)
  from new_orders n cross join lateral (values (0), (n.vendor_id)) v (id)
  where n.user_id is not null
  group by n.user_id, v.id order by n.user_id, v.id
  on conflict (user_id, vendor_id) do update set
    order_count = t.order_count + excluded.order_count,
    cancelled_count = t.cancelled_count + excluded.cancelled_count,
    own_count = t.own_count + excluded.own_count,
    spend = t.spend + excluded.spend,
    first_order_at = least(t.first_order_at, excluded.first_order_at),
    last_order_at = greatest(t.last_order_at, excluded.last_order_at);
  return null;
end $$;

create or replace function count_changed_order() returns trigger language plpgsql as $$
begin
  if old.user_id is not null then
    update customer_totals t set
      order_count = t.order_count - 1,
      cancelled_count = t.cancelled_count - (old.status = 'cancelled')::integer,
      own_count = t.own_count - (old.placed_by is null)::integer,
      spend = t.spend - case when old.status = 'cancelled' then 0 else old.total end
    where t.user_id = old.user_id and t.vendor_id in (0, old.vendor_id);
  end if;
  -- Only test orders are deleted.
  if tg_op = 'DELETE' then
    update customer_totals t set (first_order_at, last_order_at) = (
      select min(o.created_at), max(o.created_at) from orders o
      where o.user_id = t.user_id and (t.vendor_id = 0 or o.vendor_id = t.vendor_id))
    where t.user_id = old.user_id and t.vendor_id in (0, old.vendor_id);
  end if;
  if tg_op = 'UPDATE' and new.user_id is not null then
    insert into customer_totals as t
      (user_id, vendor_id, order_count, cancelled_count, own_count, spend, first_order_at, last_order_at)
    select new.user_id, v.id, 1, (new.status = 'cancelled')::integer, (new.placed_by is null)::integer,
      case when new.status = 'cancelled' then 0 else new.total end, new.created_at, new.created_at
    from (values (0), (new.vendor_id)) v (id)
    on conflict (user_id, vendor_id) do update set
      order_count = t.order_count + 1,
      cancelled_count = t.cancelled_count + excluded.cancelled_count,
      own_count = t.own_count + excluded.own_count,
      spend = t.spend + excluded.spend,
      first_order_at = least(t.first_order_at, excluded.first_order_at),
      last_order_at = greatest(t.last_order_at, excluded.last_order_at);
  end if;
  return null;
end $$;

-- Customers without an order are in the list of all customers too.
create or replace function count_new_users() returns trigger language plpgsql as $$
begin
  insert into customer_totals (user_id, vendor_id) select n.id, 0 from new_users n on conflict do nothing;
  return null;
end $$;

create or replace trigger count_new_orders after insert on orders referencing new table as new_orders
  for each statement execute function count_new_orders();

create or replace trigger count_changed_order
  after update of status, total, user_id, vendor_id, placed_by on orders for each row
  when ((old.status = 'cancelled') is distinct from (new.status = 'cancelled') or old.total <> new.total
    or old.user_id is distinct from new.user_id or old.vendor_id <> new.vendor_id
    or (old.placed_by is null) is distinct from (new.placed_by is null))
  execute function count_changed_order();

create or replace trigger count_deleted_order after delete on orders for each row execute function count_changed_order();

create or replace trigger count_new_users after insert on users referencing new table as new_users
  for each statement execute function count_new_users();

create or replace trigger note_order_of_holder after insert or update of last_order_at on customer_totals for each row
  when (new.vendor_id > 0 and new.last_order_at is not null) execute function note_order_of_holder();
