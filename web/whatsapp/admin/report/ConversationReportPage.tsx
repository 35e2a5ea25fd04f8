import { addDays } from '@qatra/contract/calendar/calendar'
import {
  type AgentFigures,
  exportConversationReport,
  getConversationReport,
  type HourFigures,
} from '@qatra/contract/whatsapp/inbox/report'
import { useQuery } from '@tanstack/react-query'
import type { Page } from '../../../app/page.ts'
import { Sum } from '../../../drivers/admin/corrections/Report.tsx'
import { read } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { dayIn, oneOf, readSearch, type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { DownloadMenu } from '../../../ui/admin/DownloadMenu.tsx'
import { today } from '../../../ui/admin/day-words.ts'
import { DateFilter } from '../../../ui/admin/list/DateFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { Tabs } from '../../../ui/admin/Tabs.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

const shape = { by: oneOf(['hour']), from: dayIn, to: dayIn }
const WEEK = 7

/** The last seven days, unless others are chosen. */
function filtersOf({ from, to }: StateOf<typeof shape>) {
  const last = to ?? today()
  return { from: from ?? addDays(last, 1 - WEEK), to: last }
}
const reportQuery = (state: StateOf<typeof shape>) => read(getConversationReport, { query: filtersOf(state) })

type Row = AgentFigures | HourFigures
type Figures = Omit<HourFigures, 'hour'>

function duration(t: Translate, seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return t('reports.seconds', { count: seconds })
  const minutes = Math.round(seconds / 60)
  return minutes < 60
    ? t('reports.minutes', { count: minutes })
    : t('reports.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** Share of content customers among those who answered. */
function content(t: Translate, { good, fair, bad }: Figures): string {
  const all = good + fair + bad
  return all === 0 ? '–' : t('reports.content', { percent: Math.round((good / all) * 100), count: all })
}

/** First reply, resolution, number and satisfaction of conversations, by agent and by hour. */
function ConversationReportPage() {
  const t = useT()
  const [state, setState] = useSearchState(shape)
  const { from, to } = filtersOf(state)
  const query = useQuery(reportQuery(state))
  const isByHour = state.by === 'hour'
  const rows: Row[] | undefined = isByHour ? query.data?.hours : query.data?.agents
  const nameOf = (row: Row) =>
    'hour' in row ? `${row.hour}:00` : (row.agent?.name ?? t(row.agent ? 'reports.nobody' : 'reports.noAgent'))
  const figures = [
    { key: 'count', title: t('reports.conversations.count'), textOf: ({ count }: Figures) => String(count) },
    {
      key: 'answer',
      title: t('reports.conversations.answer'),
      textOf: ({ answerSeconds }: Figures) => duration(t, answerSeconds),
    },
    {
      key: 'resolve',
      title: t('reports.conversations.resolve'),
      textOf: ({ resolveSeconds }: Figures) => duration(t, resolveSeconds),
    },
    {
      key: 'resolved',
      title: t('reports.conversations.resolved'),
      textOf: ({ resolved }: Figures) => String(resolved),
    },
    { key: 'content', title: t('reports.conversations.content'), textOf: (row: Figures) => content(t, row) },
  ]
  const columns: Column<Row>[] = [
    {
      key: 'who',
      title: t(isByHour ? 'reports.conversations.hour' : 'reports.conversations.agent'),
      fixed: true,
      cell: (row) => <bdi>{nameOf(row)}</bdi>,
    },
    ...figures.map(({ key, title, textOf }) => ({
      key,
      title,
      align: 'end' as const,
      width: 150,
      cell: (row: Row) => <bdi>{textOf(row)}</bdi>,
    })),
  ]
  return (
    <ListPage<Row>
      title={t('reports.conversations')}
      list={wholeList(query, rows)}
      head={
        <>
          <Tabs
            label={t('reports.conversations')}
            chosen={isByHour ? 'hour' : 'agent'}
            items={[
              { key: 'agent', label: t('reports.conversations.byAgent'), search: { by: undefined } },
              { key: 'hour', label: t('reports.conversations.byHour'), search: { by: 'hour' } },
            ]}
          />
          <ul className="rail gap-2 px-4 pt-3 md:px-6 empty:hidden">
            {query.data &&
              query.data.total.count > 0 &&
              figures.map(({ key, title, textOf }) => (
                <Sum key={key} title={title}>
                  <bdi>{textOf(query.data.total)}</bdi>
                </Sum>
              ))}
          </ul>
        </>
      }
      filters={<DateFilter label={t('reports.days')} from={from} to={to} onChange={setState} />}
      tools={
        <DownloadMenu path={exportConversationReport.path} query={{ from, to, by: isByHour ? 'hour' : 'agent' }} />
      }
      label={t('reports.conversations')}
      columns={columns}
      rowKey={(row) => ('hour' in row ? `hour ${row.hour}` : String(row.agent?.id))}
      rowLabel={nameOf}
      renderCard={(row) => (
        <span className="grid grid-cols-1 gap-0.5">
          <bdi className="font-strong">{nameOf(row)}</bdi>
          {figures.map(({ key, title, textOf }) => (
            <span key={key} className="flex justify-between gap-3 text-ink-2">
              {title}
              <bdi>{textOf(row)}</bdi>
            </span>
          ))}
        </span>
      )}
      empty={<EmptyState title={t('reports.conversations.none')} text={t('reports.conversations.none.hint')} />}
    />
  )
}

export const page: Page = {
  Component: ConversationReportPage,
  showsWaiting: true,
  load: ({ queries, search }) => queries.ensureQueryData(reportQuery(readSearch(shape, search))),
  head: ({ t }) => ({ title: t('reports.conversations'), hidden: true }),
}
