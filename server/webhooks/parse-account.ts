import { type Json, numberOf, objectOf, objectsIn, textOf } from './parse-json.ts'

/** What Meta tells about the account or number. */
export interface AccountNews {
  /** Field of the change. */
  field: string
  /** Meta's name of the event. */
  event: string
  severity: 'info' | 'warning' | 'critical'
  /** New limit of people who can be written to in a day, as `TIER_1K` or a number. */
  tier: string | null
  /** Whether the quality of the number is low, if the event is about it. */
  isFlagged: boolean | null
  /** Meta's words. */
  text: string | null
}

const critical: ReadonlySet<string> = new Set([
  'DISABLED_UPDATE',
  'ACCOUNT_RESTRICTION',
  'ACCOUNT_VIOLATION',
  'ACCOUNT_DELETED',
  'PARTNER_REMOVED',
])
const severities: Readonly<Record<string, AccountNews['severity']>> = { CRITICAL: 'critical', WARNING: 'warning' }

/** Null if the change has no event. */
export function accountNews(field: string, value: Json): AccountNews | null {
  const news = { field, severity: 'info', tier: null, isFlagged: null, text: null } as const
  switch (field) {
    case 'phone_number_quality_update': {
      const event = textOf(value['event'], 60)
      const isFlagged = event === 'FLAGGED' ? true : event === 'UNFLAGGED' ? false : null
      const severity = isFlagged || event === 'DOWNGRADE' ? 'warning' : 'info'
      return event
        ? { ...news, event, severity, isFlagged, tier: tierIn(value) ?? textOf(value['current_limit'], 40) }
        : null
    }
    case 'business_capability_update': {
      const tier = tierIn(value) ?? limitIn(value['max_daily_conversation_per_phone'])
      return tier ? { ...news, event: 'CAPABILITY', tier } : null
    }
    case 'account_alerts': {
      // Older versions put the alert beside its entity.
      const alert = { ...value, ...objectOf(value['alert_info']) }
      const event = textOf(alert['alert_type'], 100)
      const isActive = alert['alert_status'] !== 'NONE'
      const severity = (isActive && severities[textOf(alert['alert_severity'], 20) ?? '']) || 'info'
      return event ? { ...news, event, severity, text: textOf(alert['alert_description'], 500) } : null
    }
    case 'account_update': {
      const event = textOf(value['event'], 60)
      const states = [objectOf(value['ban_info'])['waba_ban_state']].flat()
      const isBack = states.includes('REINSTATE')
      const severity = event && critical.has(event) && !isBack ? 'critical' : 'info'
      return event ? { ...news, event, severity, text: reasonsOf(value) } : null
    }
    default: {
      const event = textOf(value['decision'], 60)
      const severity = event === 'REJECTED' ? 'critical' : 'info'
      return event ? { ...news, event, severity, text: textOf(value['rejection_reason'], 300) } : null
    }
  }
}

const tierIn = (value: Json) => textOf(value['max_daily_conversations_per_business'], 40)

const limitIn = (value: unknown) => {
  const limit = numberOf(value)
  return limit === null ? null : limit < 0 ? 'TIER_UNLIMITED' : String(limit)
}

function reasonsOf(value: Json): string | null {
  const violation = textOf(objectOf(value['violation_info'])['violation_type'], 100)
  const ban = [objectOf(value['ban_info'])['waba_ban_state']].flat().filter((one) => typeof one === 'string')
  const restrictions = objectsIn(value['restriction_info']).flatMap((one) => {
    const type = textOf(one['restriction_type'], 100)
    return type ? [[type, textOf(one['expiration'], 40)].filter(Boolean).join(' ')] : []
  })
  return [violation, ...ban, ...restrictions].filter(Boolean).join(', ').slice(0, 500) || null
}
