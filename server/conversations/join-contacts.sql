-- A trigger on contacts of a higher feature: moves the rows of its table, named by the argument, to the kept contact.
create or replace function move_rows_of_contact() returns trigger language plpgsql as $$
begin
  execute format('update %I set contact_id = $1 where contact_id = $2', tg_argv[0])
    using current_setting('qatra.joined_into')::integer, old.id;
  return old;
end $$;

-- Merges two contacts of one person: moves everything of `p_gone` to `p_kept`. Higher features move their rows by
-- triggers before the deletion, which happen only while `qatra.joined_into` names the kept contact.
create or replace function join_contacts(p_kept integer, p_gone integer) returns void language plpgsql as $$
declare
  v_gone contacts;
  v_topic text;
  v_topic_name text;
begin
  if p_kept = p_gone then
    return;
  end if;
  select * into v_gone from contacts where id = p_gone for update;
  if not found then
    return;
  end if;
  update whatsapp_messages set contact_id = p_kept where contact_id = p_gone;
  update early_message_changes set contact_id = p_kept where contact_id = p_gone;
  -- One is open at most.
  update conversation_cases set ended_at = now() where contact_id = p_gone and ended_at is null
    and exists (select from conversation_cases where contact_id = p_kept and ended_at is null);
  update conversation_cases set contact_id = p_kept where contact_id = p_gone;
  -- Topics are unique: one gives its topic up before the other takes it.
  select telegram_thread_id, thread_name into v_topic, v_topic_name
    from whatsapp_conversation_threads where contact_id = p_gone;
  update whatsapp_conversation_threads set telegram_thread_id = null where contact_id = p_gone;
  update whatsapp_conversation_threads k set
    telegram_thread_id = coalesce(k.telegram_thread_id, v_topic),
    thread_name = case when k.telegram_thread_id is null then coalesce(v_topic_name, k.thread_name) else k.thread_name end,
    last_activity = greatest(k.last_activity, g.last_activity),
    last_message_id = greatest(k.last_message_id, g.last_message_id),
    last_incoming_at = greatest(k.last_incoming_at, g.last_incoming_at),
    unread_count = k.unread_count + g.unread_count,
    assigned_to = coalesce(k.assigned_to, g.assigned_to),
    assigned_at = coalesce(k.assigned_at, g.assigned_at),
    paused_until = greatest(k.paused_until, g.paused_until),
    paused_by = coalesce(k.paused_by, g.paused_by),
    human_replied_at = greatest(k.human_replied_at, g.human_replied_at),
    handoff_at = least(k.handoff_at, g.handoff_at),
    handoff_reason = coalesce(k.handoff_reason, g.handoff_reason),
    late_told_at = greatest(k.late_told_at, g.late_told_at),
    handoff_order_id = coalesce(k.handoff_order_id, g.handoff_order_id),
    staff_since = least(k.staff_since, g.staff_since),
    done_at = case when k.done_at is not null and g.done_at is not null then greatest(k.done_at, g.done_at) end,
    snoozed_until = greatest(k.snoozed_until, g.snoozed_until),
    muted_by = array(select distinct unnest(k.muted_by || g.muted_by)),
    labels = array(select distinct unnest(k.labels || g.labels) order by 1 limit 6),
    updated_at = now()
  from whatsapp_conversation_threads g where k.contact_id = p_kept and g.contact_id = p_gone;
  if not found then
    update whatsapp_conversation_threads set contact_id = p_kept, telegram_thread_id = v_topic where contact_id = p_gone;
  end if;
  perform set_config('qatra.joined_into', p_kept::text, true);
  -- Cascades to its conversation and, where the kept contact has one, its bot session.
  delete from contacts where id = p_gone;
  perform set_config('qatra.joined_into', '', true);
  update contacts set
    phone = coalesce(phone, v_gone.phone),
    business_scoped_id = coalesce(business_scoped_id, v_gone.business_scoped_id),
    name = coalesce(name, v_gone.name),
    language = coalesce(language, v_gone.language),
    opted_out_at = coalesce(opted_out_at, v_gone.opted_out_at),
    opt_out_source = coalesce(opt_out_source, v_gone.opt_out_source),
    referral = case when v_gone.referred_at > coalesce(referred_at, '-infinity') then v_gone.referral else referral end,
    referred_at = greatest(referred_at, v_gone.referred_at),
    opt_out_changed_at = greatest(opt_out_changed_at, v_gone.opt_out_changed_at),
    blocked_by = case when blocked_at is null then v_gone.blocked_by else blocked_by end,
    blocked_reason = case when blocked_at is null then v_gone.blocked_reason else blocked_reason end,
    blocked_vendors = case when blocked_at is null then v_gone.blocked_vendors when v_gone.blocked_at is null
      or blocked_vendors = '{}' then blocked_vendors when v_gone.blocked_vendors = '{}' then '{}'
      else array(select distinct unnest(blocked_vendors || v_gone.blocked_vendors)) end,
    blocked_at = coalesce(blocked_at, v_gone.blocked_at),
    updated_at = now()
  where id = p_kept;
  -- Last, after what waited for these rows has added its jobs.
  perform replace_in_jobs('contactId', p_gone, p_kept);
end $$;
