import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { AgentFigures, getConversationReport, HourFigures } from '@qatra/contract/whatsapp/inbox/report'
import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inReach, isStaffInReach } from '../conversations/policy.ts'
import { conversationCases as cases, contacts } from '../conversations/tables.ts'
import type { Ctx } from '../database/context.ts'
import { type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { users } from '../users/tables.ts'

type Report = Output<typeof getConversationReport>
const DAYS = 7
const agent = alias(users, 'agent')

const secondsTo = (at: typeof cases.answeredAt | typeof cases.endedAt) =>
  sql`extract(epoch from ${at} - ${cases.beganAt})`
const median = (seconds: ReturnType<typeof secondsTo>, where = sql`true`) =>
  sql<number | null>`round(percentile_cont(0.5) within group (order by ${seconds}) filter (where ${where}))::float8`
const isResolved = sql`${cases.endedAt} is not null and ${cases.resolvedBy} is not null`
const countOf = (where: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${where})::int`

const agentId = sql<number | null>`coalesce(${cases.answeredBy}, ${cases.resolvedBy})`
const agentName = sql<string | null>`coalesce(${agent.name}, ${agent.phone})`
const hour = sql<number>`extract(hour from ${cases.beganAt} at time zone 'Asia/Bahrain')::int`

const figures = {
  count: sql<number>`count(*)::int`,
  answered: sql<number>`count(${cases.answeredAt})::int`,
  resolved: countOf(isResolved),
  answerSeconds: median(secondsTo(cases.answeredAt)),
  resolveSeconds: median(secondsTo(cases.endedAt), isResolved),
  good: countOf(sql`${cases.rating} = 'good'`),
  fair: countOf(sql`${cases.rating} = 'fair'`),
  bad: countOf(sql`${cases.rating} = 'bad'`),
}

/** Of the conversations in reach; a name out of reach is left out. */
export async function readConversationReport(
  ctx: Ctx,
  { to = bahrainDate(ctx.now), from = addDays(to, 1 - DAYS) }: Parsed<typeof getConversationReport>['query'],
): Promise<Report> {
  const rows = await ctx.db
    .select({
      isOfHour: sql<boolean>`grouping(${hour}) = 0`,
      isOfAgent: sql<boolean>`grouping(${agentId}) = 0`,
      agentId,
      name: agentName,
      hour,
      ...figures,
    })
    .from(cases)
    .innerJoin(contacts, eq(contacts.id, cases.contactId))
    .leftJoin(agent, sql`${agent.id} = ${agentId} and ${isStaffInReach(ctx.actor, agent)}`)
    .where(
      sql`${cases.beganAt} >= ${startOfBahrainDay(from)} and ${cases.beganAt} < ${startOfBahrainDay(addDays(to, 1))}
        and ${inReach(ctx.actor)}`,
    )
    .groupBy(sql`grouping sets ((), (${agentId}, ${agentName}), (${hour}))`)
    .orderBy(sql`count(*) desc`)
  const none = {
    count: 0,
    answered: 0,
    resolved: 0,
    answerSeconds: null,
    resolveSeconds: null,
    good: 0,
    fair: 0,
    bad: 0,
  }
  const report: Report = { total: none, agents: [], hours: [] }
  for (const { isOfHour, isOfAgent, agentId: id, name, hour: of, ...own } of rows) {
    if (isOfAgent) report.agents.push({ agent: id === null ? null : { id, name }, ...own })
    else if (isOfHour) report.hours.push({ hour: of, ...own })
    else report.total = own
  }
  report.hours.sort((one, other) => one.hour - other.hour)
  return report
}

const minutes = (seconds: number | null) => (seconds === null ? null : Math.round(seconds / 6) / 10)

export function exportedConversationReport({ agents, hours }: Report, by: 'agent' | 'hour', lang: Lang): Table {
  const t = translatorFor(lang)
  const titleOf = (column: string) => t(`peopleFile.conversations.${column}`)
  const shared = {
    count: ({ count }: AgentFigures | HourFigures) => count,
    answered: ({ answered }: AgentFigures | HourFigures) => answered,
    answerMinutes: ({ answerSeconds }: AgentFigures | HourFigures) => minutes(answerSeconds),
    resolved: ({ resolved }: AgentFigures | HourFigures) => resolved,
    resolveMinutes: ({ resolveSeconds }: AgentFigures | HourFigures) => minutes(resolveSeconds),
    good: ({ good }: AgentFigures | HourFigures) => good,
    fair: ({ fair }: AgentFigures | HourFigures) => fair,
    bad: ({ bad }: AgentFigures | HourFigures) => bad,
  }
  return by === 'agent'
    ? tableOf({
        lang,
        rows: agents,
        columns: { agent: ({ agent: person }: AgentFigures) => (person ? person.name : titleOf('nobody')), ...shared },
        titleOf,
      })
    : tableOf({ lang, rows: hours, columns: { hour: (row: HourFigures) => `${row.hour}:00`, ...shared }, titleOf })
}
