-- Merges two accounts with one phone: moves everything of the customer `p_gone` to `p_kept`. The row stays without
-- personal data, as after an erasure, because histories refer to it.
create or replace function join_customers(p_kept integer, p_gone integer) returns void language plpgsql as $$
declare
  v_gone users;
begin
  select * into v_gone from users where id = p_gone for update;
  update orders set user_id = p_kept where user_id = p_gone;
  update order_keys k set user_id = p_kept where k.user_id = p_gone
    and not exists (select from order_keys o where o.user_id = p_kept and o.key = k.key);
  update customer_notes set user_id = p_kept where user_id = p_gone;
  insert into customer_tags (user_id, vendor_id, tags)
    select p_kept, vendor_id, tags from customer_tags where user_id = p_gone
    on conflict (user_id, vendor_id) do update set
      tags = array(select distinct unnest(customer_tags.tags || excluded.tags) order by 1), updated_at = now();
  delete from customer_tags where user_id = p_gone;
  delete from customer_totals where user_id = p_gone;
  -- A full cart replaces an empty one; a second full one becomes the parked cart.
  delete from carts c where c.user_id in (p_kept, p_gone) and not exists (select from cart_items i where i.cart_id = c.id);
  update carts set user_id = p_kept where user_id = p_gone and parked_at is null
    and not exists (select from carts k where k.user_id = p_kept and k.parked_at is null);
  update carts set user_id = p_kept, parked_at = coalesce(parked_at, now())
  where id = (select id from carts where user_id = p_gone order by parked_at desc nulls first limit 1)
    and not exists (select from carts k where k.user_id = p_kept and k.parked_at is not null);
  delete from sessions where user_id = p_gone;
  delete from telegram_link_codes where user_id = p_gone;
  update telegram_messages set user_id = p_kept where user_id = p_gone;
  update users k set
    name = coalesce(k.name, v_gone.name),
    address = coalesce(k.address, v_gone.address),
    address_parts = case when k.address is null then v_gone.address_parts else k.address_parts end,
    lat = case when k.address is null then v_gone.lat else k.lat end,
    lng = case when k.address is null then v_gone.lng else k.lng end,
    instructions = coalesce(k.instructions, v_gone.instructions),
    is_verified = k.is_verified or v_gone.is_verified,
    telegram_chat_id = coalesce(k.telegram_chat_id, v_gone.telegram_chat_id),
    telegram_thread_id = coalesce(k.telegram_thread_id, v_gone.telegram_thread_id),
    telegram_name = coalesce(k.telegram_name, v_gone.telegram_name),
    -- The later marketing consent applies.
    marketing_consent = case when v_gone.consent_at > coalesce(k.consent_at, '-infinity') then v_gone.marketing_consent else k.marketing_consent end,
    consent_source = case when v_gone.consent_at > coalesce(k.consent_at, '-infinity') then v_gone.consent_source else k.consent_source end,
    consent_at = greatest(k.consent_at, v_gone.consent_at),
    last_login_at = greatest(k.last_login_at, v_gone.last_login_at),
    last_active_at = greatest(k.last_active_at, v_gone.last_active_at),
    updated_at = now()
  where k.id = p_kept;
  update users set phone = 'erased-' || id, name = null, address = null, address_parts = null, lat = 0, lng = 0,
    instructions = null, is_verified = false, is_active = false, permissions = '{}', telegram_chat_id = null,
    telegram_thread_id = null, telegram_name = null, notification_enabled = false, marketing_consent = false,
    consent_source = null, consent_at = null, last_login_at = null, last_active_at = null, erased_at = now(),
    updated_at = now()
  where id = p_gone;
  insert into audit_log (action, resource, resource_id, old_values)
    values ('joined', 'user', p_kept, jsonb_build_object('joinedUserId', p_gone));
end $$;

-- Every phone that any table stores; webhook events store sender and recipient.
create or replace function stored_phones() returns setof text language sql stable as $$
  select phone from users
  union select phone from contacts
  union select phone_number from whatsapp_conversation_threads
  union select from_number from whatsapp_messages
  union select to_number from whatsapp_messages
  union select phone from simulated_messages
  union select contact_number from vendors
  union select phone from login_codes
  union select phone from login_failures
  union select phone from known_devices
  union select phone from login_proofs
  union select phone from orders
  union select phone_number from bot_sessions
  union select phone_number from bot_message_history
  union select phone from whatsapp_connection
  union select recipient_phone from template_sends
  union select taken ->> 'phone' from template_campaigns, jsonb_array_elements(taken_out) taken
  union select phone from magic_links
  union select sender_phone from whatsapp_webhook_events
  union select recipient_phone from whatsapp_webhook_events
$$;

create or replace function respell_phone(p_old text, p_new text) returns boolean language plpgsql as $$
declare
  v_kept integer;
  v_gone integer;
begin
  perform from users where phone in (p_old, p_new) order by id for update;
  if (select count(*) from users where phone in (p_old, p_new)) = 2 then
    if exists (select from users where phone in (p_old, p_new) and (role <> 'customer' or not is_active)) then
      return false;
    end if;
    select min(id), max(id) into v_kept, v_gone from users where phone in (p_old, p_new);
    perform join_customers(v_kept, v_gone);
  end if;
  update users set phone = p_new, updated_at = now() where phone = p_old;
  perform join_contacts(k.id, g.id) from contacts k, contacts g where k.phone = p_new and g.phone = p_old;
  update contacts set phone = p_new, updated_at = now() where phone = p_old;
  update whatsapp_conversation_threads set phone_number = p_new where phone_number = p_old;
  update whatsapp_messages set from_number = p_new where from_number = p_old;
  update whatsapp_messages set to_number = p_new where to_number = p_old;
  update simulated_messages set phone = p_new where phone = p_old;
  update vendors set contact_number = p_new, updated_at = now() where contact_number = p_old;
  -- Codes are hashed with their phone, so open ones end.
  update login_codes set replaced_at = now() where phone = p_old and used_at is null and replaced_at is null;
  update login_codes set phone = p_new where phone = p_old;
  update login_failures set phone = p_new where phone = p_old;
  delete from known_devices d where d.phone = p_old
    and exists (select from known_devices o where o.id = d.id and o.phone = p_new);
  update known_devices set phone = p_new where phone = p_old;
  update login_proofs set phone = p_new where phone = p_old;
  update orders set phone = p_new where phone = p_old;
  update bot_sessions set phone_number = p_new where phone_number = p_old;
  update bot_message_history set phone_number = p_new where phone_number = p_old;
  update whatsapp_connection set phone = p_new where phone = p_old;
  -- A campaign sends to a phone once: an unsent second message is dropped.
  delete from template_sends s where s.recipient_phone = p_old
    and exists (select from template_sends o where o.campaign_id = s.campaign_id and o.recipient_phone = p_new);
  update template_sends set recipient_phone = p_new where recipient_phone = p_old;
  update template_campaigns set taken_out = (
    select jsonb_agg(case when taken ->> 'phone' = p_old then jsonb_set(taken, '{phone}', to_jsonb(p_new)) else taken end)
    from jsonb_array_elements(taken_out) taken)
  where taken_out @> jsonb_build_array(jsonb_build_object('phone', p_old));
  update magic_links set phone = p_new where phone = p_old;
  update whatsapp_webhook_events set sender_phone = p_new where sender_phone = p_old;
  update whatsapp_webhook_events set recipient_phone = p_new where recipient_phone = p_old;
  return true;
end $$;
