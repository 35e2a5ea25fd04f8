import type {
  NeededTemplate,
  WhatsappKey,
  WhatsappKeyProblem,
  WhatsappStep,
  WhatsappStepKey,
  WhatsappStepProblem,
} from '@qatra/contract/whatsapp/connection/setup'
import { webhookFields } from '../webhooks/fields.ts'
import type { Asked } from '../providers/whatsapp-cloud/asked.ts'
import type { AccountFacts } from './account-facts.ts'

const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const
const DAY_MS = 86_400_000
/** A token that ends sooner than this is to be replaced. */
const EXPIRES_DAYS = 7

export interface SetupFacts {
  /** Which settings of the server are there. */
  has: { token: boolean; number: boolean; account: boolean; verifyToken: boolean }
  /** Null until Meta was asked. */
  facts: AccountFacts | null
  address: string
  heardAt: Date | null
  templates: readonly NeededTemplate[]
  now: Date
}

type Verdict = Pick<WhatsappStep, 'state' | 'problem' | 'detail'>

const done = (detail: string | null = null): Verdict => ({ state: 'done', problem: null, detail })
const todo = (problem: WhatsappStepProblem, detail: string | null = null): Verdict => ({
  state: 'todo',
  problem,
  detail,
})
const waiting = (problem: WhatsappStepProblem, detail: string | null = null): Verdict => ({
  state: 'waiting',
  problem,
  detail,
})
const unknown: Verdict = { state: 'unknown', problem: null, detail: null }

/** The verdict on an answer; without one, why there is none. */
function judge<T>(asked: Asked<T> | undefined, verdict: (value: T) => Verdict): Verdict {
  if (asked === undefined) return unknown
  if (asked.kind === 'silent') return { state: 'unknown', problem: 'META_SILENT', detail: null }
  return asked.kind === 'refused' ? todo('META_REFUSED', asked.text) : verdict(asked.value)
}

const missingOf = (wanted: readonly string[], there: readonly string[]) => wanted.filter((one) => !there.includes(one))
const isNamed = (status: string | null, name: string) => status === null || status.toUpperCase() === name

function tokenStep({ has, facts, now }: SetupFacts): Verdict {
  if (!has.token) return todo('NOT_SET', 'WHATSAPP_TOKEN')
  return judge(facts?.token, ({ isValid, expiresAt, scopes: given }) => {
    if (!isValid) return todo('TOKEN_INVALID')
    const missing = missingOf(scopes, given)
    if (missing.length > 0) return todo('TOKEN_SCOPES', missing.join(', '))
    const isSoon = expiresAt !== null && Date.parse(expiresAt) < now.getTime() + EXPIRES_DAYS * DAY_MS
    return isSoon ? todo('TOKEN_EXPIRES', expiresAt) : done()
  })
}

function numberStep({ has, facts }: SetupFacts): Verdict {
  if (!has.number) return todo('NOT_SET', 'WHATSAPP_PHONE_NUMBER_ID')
  return judge(facts?.number, ({ phone, name, status }) => {
    const called = [phone, name].filter(Boolean).join(' · ')
    return isNamed(status, 'CONNECTED') ? done(called) : todo('NUMBER_STATUS', `${called}: ${status}`)
  })
}

function accountStep({ has, facts }: SetupFacts): Verdict {
  if (!has.account) return todo('NOT_SET', 'WHATSAPP_BUSINESS_ACCOUNT_ID')
  return judge(facts?.account, ({ name, review }) => {
    if (isNamed(review, 'APPROVED')) return done(name)
    return isNamed(review, 'PENDING') ? waiting('ACCOUNT_REVIEW', review) : todo('ACCOUNT_REVIEW', review)
  })
}

function businessStep({ has, facts }: SetupFacts): Verdict {
  if (!has.account) return unknown
  return judge(facts?.account, ({ business }) => {
    if (business === 'verified') return done()
    return business?.includes('pending') ? waiting('NOT_VERIFIED', business) : todo('NOT_VERIFIED', business)
  })
}

function webhookStep({ has, facts, address }: SetupFacts): Verdict {
  if (!has.verifyToken) return todo('NOT_SET', 'WHATSAPP_VERIFY_TOKEN')
  if (!address.startsWith('https://')) return todo('NOT_HTTPS', 'PUBLIC_URL')
  return judge(facts?.webhook, (webhook) => {
    if (webhook === null || !webhook.isActive) return todo('NO_WEBHOOK')
    return webhook.address === address ? done() : todo('OTHER_ADDRESS', webhook.address)
  })
}

const fieldsStep = ({ facts }: SetupFacts): Verdict =>
  judge(facts?.webhook, (webhook) => {
    const missing = missingOf(webhookFields, webhook?.fields ?? [])
    return missing.length === 0 ? done() : todo('FIELDS_MISSING', missing.join(', '))
  })

const subscriptionStep = ({ has, facts }: SetupFacts): Verdict =>
  has.account
    ? judge(facts?.subscription, ({ isSubscribed }) => (isSubscribed ? done() : todo('NOT_SUBSCRIBED')))
    : unknown

function templatesStep({ has, templates }: SetupFacts): Verdict {
  if (!has.account) return unknown
  const count = (all: readonly unknown[]) => String(all.length)
  const open = templates.filter(({ status }) => status === null)
  const refused = templates.filter(({ status }) => status !== null && status !== 'APPROVED' && !isInReview(status))
  if (open.length > 0) return todo('TEMPLATES_MISSING', count(open))
  if (refused.length > 0) return todo('TEMPLATES_REFUSED', count(refused))
  const reviewed = templates.filter(({ status }) => isInReview(status))
  return reviewed.length > 0 ? { state: 'waiting', problem: null, detail: count(reviewed) } : done()
}

const isInReview = (status: string | null) => status === 'PENDING' || status === 'IN_APPEAL'

const verdicts: Readonly<Record<WhatsappStepKey, (facts: SetupFacts) => Verdict>> = {
  token: tokenStep,
  number: numberStep,
  account: accountStep,
  webhook: webhookStep,
  fields: fieldsStep,
  subscription: subscriptionStep,
  heard: ({ heardAt }) => (heardAt === null ? todo('NEVER_HEARD') : done()),
  business: businessStep,
  templates: templatesStep,
}

/** The steps with their state. In the simulator nothing is done: it reaches nobody. */
export const stepsOf = (facts: SetupFacts, isSimulated: boolean): WhatsappStep[] =>
  (Object.keys(verdicts) as WhatsappStepKey[]).map((key) => {
    const verdict = verdicts[key](facts)
    // The simulator's webhook stays within the process, so that its address need not be https.
    const isDone = verdict.state === 'done' || verdict.problem === 'NOT_HTTPS'
    return isSimulated && isDone
      ? { key, state: 'simulated', problem: null, detail: verdict.problem === null ? verdict.detail : null }
      : { key, ...verdict }
  })

/** Whether Meta answered what sending depends on. */
export const hasAnswered = ({ token, number }: AccountFacts): boolean =>
  token.kind !== 'silent' && number.kind !== 'silent'

/** The answers of a check; where Meta was silent, the earlier one stays. */
export function mergeFacts(before: AccountFacts | null, after: AccountFacts): AccountFacts {
  if (before === null) return after
  const part = <K extends Exclude<keyof AccountFacts, 'rating'>>(key: K): AccountFacts[K] =>
    after[key].kind === 'silent' ? before[key] : after[key]
  return {
    token: part('token'),
    number: part('number'),
    rating: after.rating?.kind === 'silent' ? before.rating : after.rating,
    account: part('account'),
    webhook: part('webhook'),
    subscription: part('subscription'),
  }
}

/** Without them no message can be sent or received. */
const required: readonly WhatsappKey[] = ['token', 'phoneNumberId', 'appSecret']

/** Meta's codes for an id that does not exist or that the token may not see. */
const notFound = [100, 10, 200, 803]

/** What Meta answered to a try with keys; null where it was not asked. */
export interface KeyTrial {
  token: AccountFacts['token']
  number: AccountFacts['number']
  account: AccountFacts['account'] | null
  /** A call that the app's secret signs. */
  secret: Asked<unknown>
  /** Ids of the account's numbers. */
  numbers: Asked<readonly string[]> | null
}

/** The keys without which nothing can be tried. */
export const missingKeys = (keys: Readonly<Record<WhatsappKey, string | null>>): WhatsappKeyProblem[] =>
  required.filter((name) => keys[name] === null).map((name) => ({ name, problem: 'MISSING', detail: null }))

/** Why these keys do not work together; empty if Meta accepts them. */
export function problemsOfKeys(trial: KeyTrial, phoneNumberId: string | null): WhatsappKeyProblem[] {
  const { token, number, account, secret, numbers } = trial
  if (token.kind === 'silent') return [{ name: 'token', problem: 'META_SILENT', detail: null }]
  // With an invalid token all other calls fail for that reason.
  if (token.kind === 'refused') return [{ name: 'token', problem: 'TOKEN_INVALID', detail: token.text }]
  if (!token.value.isValid) return [{ name: 'token', problem: 'TOKEN_INVALID', detail: null }]
  const missing = missingOf(scopes, token.value.scopes)
  if (missing.length > 0) return [{ name: 'token', problem: 'TOKEN_SCOPES', detail: missing.join(', ') }]
  const ofId = (name: WhatsappKey, asked: Asked<unknown> | null): WhatsappKeyProblem[] => {
    if (asked === null || asked.kind === 'answered') return []
    if (asked.kind === 'silent') return [{ name, problem: 'META_SILENT', detail: null }]
    const problem = notFound.includes(asked.code) ? 'NOT_FOUND' : 'META_REFUSED'
    return [{ name, problem, detail: asked.text }]
  }
  const found = [...ofId('phoneNumberId', number), ...ofId('businessAccountId', account)]
  if (secret.kind !== 'answered') {
    const problem = secret.kind === 'silent' ? 'META_SILENT' : 'WRONG_SECRET'
    found.push({ name: 'appSecret', problem, detail: secret.kind === 'refused' ? secret.text : null })
  }
  const isElsewhere = numbers?.kind === 'answered' && phoneNumberId !== null && !numbers.value.includes(phoneNumberId)
  if (found.length === 0 && isElsewhere)
    found.push({ name: 'businessAccountId', problem: 'OTHER_ACCOUNT', detail: null })
  return found
}

/** Why no message can be sent, in the words of a step; null if Meta confirmed token and number. */
export function problemOfAccount({ token, number }: AccountFacts): string | null {
  if (token.kind === 'refused') return token.text
  if (token.kind === 'answered' && !token.value.isValid) return 'TOKEN_INVALID'
  if (number.kind === 'refused') return number.text
  return token.kind === 'silent' || number.kind === 'silent' ? 'META_SILENT' : null
}
