import type { AnsweringRule } from '@qatra/contract/whatsapp/inbox/settings'

/** What rules ask about a conversation: of the order that it is about, else of what the customer chose or ordered last. */
export interface RuleFacts {
  vendorId: number | null
  areaId: number | null
  labels: readonly string[]
}

export interface Answerer {
  id: number
  /** Since when they are off duty by their own word. */
  awaySince: Date | null
  /** The last request of a page, or the last reply. */
  seenAt: Date | null
  /** When the last conversation came to them in turn. */
  lastGivenAt: Date | null
}

const MINUTE_MS = 60_000
/** Visits are recorded once a minute. */
const SEEN_EVERY_MS = MINUTE_MS

/** Signed off, or not seen for longer than a customer may wait. */
export function isOnDuty({ awaySince, seenAt }: Answerer, now: Date, minutes: number): boolean {
  return (
    awaySince === null && seenAt !== null && now.getTime() - seenAt.getTime() <= minutes * MINUTE_MS + SEEN_EVERY_MS
  )
}

/** Off duty for longer than a customer may wait. */
export function isGone(person: Answerer, now: Date, minutes: number): boolean {
  if (isOnDuty(person, now, minutes)) return false
  const { awaySince } = person
  return awaySince === null || now.getTime() - awaySince.getTime() > minutes * MINUTE_MS
}

export function ruleFits({ by, ids, labels }: AnsweringRule, facts: RuleFacts): boolean {
  switch (by) {
    case 'vendor':
      return facts.vendorId !== null && ids.includes(facts.vendorId)
    case 'area':
      return facts.areaId !== null && ids.includes(facts.areaId)
    case 'label':
      return labels.some((label) => facts.labels.includes(label))
    case 'all':
      return true
  }
}

/** The one whose last conversation came longest ago. */
export function nextInTurn(people: readonly Answerer[]): Answerer | null {
  const timeOf = ({ lastGivenAt }: Answerer) => lastGivenAt?.getTime() ?? 0
  return people.toSorted((one, other) => timeOf(one) - timeOf(other) || one.id - other.id)[0] ?? null
}

/** By the first rule that fits and has somebody of those on duty; null: nobody's. */
export function ownerBy(rules: readonly AnsweringRule[], facts: RuleFacts, onDuty: readonly Answerer[]): number | null {
  for (const rule of rules) {
    if (!ruleFits(rule, facts)) continue
    const next = nextInTurn(onDuty.filter(({ id }) => rule.people.includes(id)))
    if (next) return next.id
  }
  return null
}

/** Whether the office has been open for the waiting limit. `since` is when it opened; null while it is closed. */
export const mayAlarm = (since: Date | null, now: Date, minutes: number): boolean =>
  since !== null && now.getTime() - since.getTime() >= minutes * MINUTE_MS
