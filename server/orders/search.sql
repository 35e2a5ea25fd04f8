-- The search text of an order; each part begins with a space.
create or replace function order_search_text(p_name text, p_phone text, p_id text, p_area text, p_area_ar text, p_block text)
returns text language sql immutable parallel safe as $$
  select ' ' || fold_text(p_name) || ' ' || ltrim(p_phone, '+') || ' ' || lower(p_id)
    || ' ' || fold_text(concat_ws(' ', p_area, p_area_ar, p_block))
$$;

create or replace function make_order_searchable() returns trigger language plpgsql as $$
begin
  new.search_text := order_search_text(
    new.customer_name, new.phone, new.id, new.area_name, new.area_name_ar, new.address_parts->>'block'
  );
  return new;
end $$;

create or replace trigger searchable before insert or update of customer_name, phone, area_name, area_name_ar, address_parts, search_text on orders
  for each row execute function make_order_searchable();
