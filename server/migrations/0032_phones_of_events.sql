-- Events keep the phones of sender and recipient, too.
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
--> statement-breakpoint
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
  -- A code is hashed together with its phone, so one that is under way ends.
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
  -- A campaign has a phone once: what has not been sent a second time is not sent.
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
