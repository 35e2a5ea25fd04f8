import { bahrainDate, formatDateTime, formatDay, formatTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import {
  listWebhookEvents,
  type WebhookEvent,
  webhookEventTypes,
  webhookStatuses,
} from '@qatra/contract/whatsapp/connection/webhooks'
import type { Page } from '../../../app/page.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { dayIn, idIn, oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../../lib/search-state.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { DateFilter } from '../../../ui/admin/list/DateFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AgainIcon } from '../../../ui/icons.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { EventPanel, EventState } from './EventPanel.tsx'

const shape = {
  type: oneOf(webhookEventTypes),
  status: oneOf(webhookStatuses),
  q: textIn(100),
  from: dayIn,
  to: dayIn,
  open: idIn,
  page: pageNumber,
}

const eventsQuery = ({ type, status, q, from, to, page }: StateOf<typeof shape>) =>
  read(listWebhookEvents, {
    query: {
      ...(type && { eventType: type }),
      ...(status && { status }),
      ...(q && { search: q }),
      ...(from && { from }),
      ...(to && { to }),
      page,
      limit: PAGE_SIZE,
    },
  })

function WebhooksPage() {
  const { t } = useLanguage()
  const list = useList(shape, eventsQuery)
  const { state, setState, query } = list
  const columns = useEventColumns()
  const { page } = state
  const opened = query.data?.items.find(({ id }) => id === state.open)
  const isNarrowed = Boolean(state.type ?? state.status ?? state.from ?? state.to) || state.q !== ''
  return (
    <ListPage
      list={list}
      title={t('webhooks.title')}
      subtitle={t('webhooks.kept')}
      head={<SettingsTabs current="webhooks" />}
      search={t('webhooks.search')}
      filters={
        <>
          <ChoiceFilter
            label={t('webhooks.type')}
            {...list.choice('type')}
            options={webhookEventTypes.map((value) => ({ value, label: t(`webhooks.type.${value}`) }))}
          />
          <ChoiceFilter
            label={t('webhooks.status')}
            {...list.choice('status')}
            options={webhookStatuses.map((value) => ({ value, label: t(`webhooks.status.${value}`) }))}
          />
          <DateFilter label={t('webhooks.when')} from={state.from} to={state.to} onChange={(days) => setState(days)} />
        </>
      }
      tools={
        <ToolbarButton icon={AgainIcon} onClick={() => void query.refetch()}>
          {t('webhooks.reload')}
        </ToolbarButton>
      }
      panel={
        opened && (
          <EventPanel
            key={opened.id}
            event={opened}
            onClose={() => setState({ open: undefined, page })}
            onReplayed={() => void query.refetch()}
          />
        )
      }
      label={t('webhooks.list')}
      columns={columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ eventType, id }) => `${t(`webhooks.type.${eventType}`)} ${id}`}
      openKey={state.open === undefined ? undefined : String(state.open)}
      onOpen={({ id }) => setState({ open: id, page })}
      empty={
        <EmptyState
          title={t(isNarrowed ? 'webhooks.emptyFiltered' : 'webhooks.empty')}
          text={t(isNarrowed ? 'webhooks.emptyFiltered.hint' : 'webhooks.empty.hint')}
        >
          {isNarrowed && (
            <Button
              size="small"
              onClick={() => setState({ type: undefined, status: undefined, q: '', from: undefined, to: undefined })}
            >
              {t('webhooks.showAll')}
            </Button>
          )}
        </EmptyState>
      }
      renderCard={(event) => <EventCard event={event} />}
    />
  )
}

const momentOf = (at: string, lang: Lang) => {
  const moment = new Date(at)
  return `${formatDay(bahrainDate(moment), lang, 'short')} · ${formatTime(moment, lang)}`
}

function useEventColumns(): Column<WebhookEvent>[] {
  const { t, lang } = useLanguage()
  return [
    {
      key: 'when',
      title: t('webhooks.when'),
      fixed: true,
      width: 190,
      cell: ({ createdAt }) => <bdi>{momentOf(createdAt, lang)}</bdi>,
    },
    {
      key: 'type',
      title: t('webhooks.type'),
      fixed: true,
      width: 170,
      cell: ({ eventType }) => t(`webhooks.type.${eventType}`),
    },
    {
      key: 'status',
      title: t('webhooks.status'),
      fixed: true,
      width: 150,
      cell: ({ status }) => <EventState status={status} />,
    },
    {
      key: 'about',
      title: t('webhooks.about'),
      fixed: true,
      from: 'lg',
      cell: ({ webhookId, errorMessage }) => (
        <span className="block min-w-0">
          <bdi dir="ltr" className="block truncate">
            {webhookId}
          </bdi>
          {errorMessage && (
            <bdi dir="auto" className="block truncate text-clay">
              {errorMessage}
            </bdi>
          )}
        </span>
      ),
    },
    {
      key: 'deliveries',
      title: t('webhooks.deliveries'),
      fixed: true,
      from: 'xl',
      width: 130,
      align: 'end',
      cell: ({ deliveries }) => deliveries,
    },
  ]
}

function EventCard({ event: { eventType, status, createdAt, errorMessage, webhookId } }: { event: WebhookEvent }) {
  const { t, lang } = useLanguage()
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <span className="flex items-center justify-between gap-2">
        <b className="font-strong">{t(`webhooks.type.${eventType}`)}</b>
        <EventState status={status} />
      </span>
      <bdi dir="ltr" className="truncate text-start text-ink-2">
        {webhookId}
      </bdi>
      {errorMessage && (
        <bdi dir="auto" className="text-clay">
          {errorMessage}
        </bdi>
      )}
      <bdi className="text-caption text-ink-3">{formatDateTime(new Date(createdAt), lang)}</bdi>
    </span>
  )
}

export const page: Page = {
  Component: WebhooksPage,
  showsWaiting: true,
  // Fetch on every visit; the table shows the error if loading fails.
  load: ({ queries, search }) =>
    queries.fetchQuery({ ...eventsQuery(readSearch(shape, search)), staleTime: 0 }).catch(() => undefined),
  head: ({ t }) => ({ title: t('webhooks.title'), hidden: true }),
}
