import { AUDIT_COUNTED_AHEAD, type AuditEntry, exportAudit } from '@qatra/contract/audit'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { listVendors } from '@qatra/contract/vendors/vendors'
import type { Page, PageRequest } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { readSearch } from '../../lib/search-state.ts'
import { DownloadMenu } from '../../ui/admin/DownloadMenu.tsx'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { DateFilter } from '../../ui/admin/list/DateFilter.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { useVendorColumn } from '../../users/admin/vendor-column.tsx'
import { EntryPanel } from './EntryPanel.tsx'
import { actions, auditQuery, auditShape, filtersOf, resources } from './search.ts'
import { Authors, Change, nameOfPerson, useSentence } from './sentences.tsx'

const SHOWN_CHANGES = 2

function AuditPage() {
  const t = useT()
  const self = useUser()
  const list = useList(auditShape, auditQuery)
  const { state, setState, data } = list
  const { options: vendors } = useVendorNames()
  const columns = useAuditColumns()
  const sentence = useSentence()
  const { page } = state
  const items = data?.items
  const opened = items?.find(({ id }) => id === state.open)
  const close = () => setState({ open: undefined, page })
  const person = items?.flatMap(({ user, onBehalfOf }) => [user, onBehalfOf]).find((one) => one?.id === state.user)
  const total = data?.total
  return (
    <ListPage
      list={list}
      title={t('audit.title')}
      subtitle={
        total !== undefined && total >= page * PAGE_SIZE + AUDIT_COUNTED_AHEAD
          ? t('audit.most', { count: total })
          : total
      }
      search={t('audit.search')}
      filters={
        <>
          <ChoiceFilter
            label={t('audit.resource')}
            {...list.choice('resource')}
            options={resources.map((value) => ({ value, label: t(`audit.resource.${value}`) }))}
          />
          <ChoiceFilter
            label={t('audit.action')}
            {...list.choice('action')}
            options={actions.map((value) => ({ value, label: t(`audit.did.${value}`, { thing: '…' }) }))}
          />
          {self?.role === 'super_admin' && (
            <ChoiceFilter label={t('admin.vendor')} searchable {...list.choice('vendor')} options={vendors} />
          )}
          <DateFilter label={t('audit.when')} from={state.from} to={state.to} onChange={(days) => setState(days)} />
          {state.user !== undefined && (
            <ToolbarButton chosen icon={CloseIcon} onClick={() => setState({ user: undefined })}>
              {t('audit.person')}: {person ? nameOfPerson(person) : `#${state.user}`}
            </ToolbarButton>
          )}
        </>
      }
      tools={<DownloadMenu path={exportAudit.path} query={filtersOf(state)} />}
      panel={opened && <EntryPanel key={opened.id} entry={opened} onClose={close} />}
      label={t('audit.list')}
      columns={columns}
      rowKey={({ id }) => id}
      rowLabel={(entry) => sentence(entry)}
      openKey={state.open}
      onOpen={({ id }) => setState({ open: id, page })}
      empty={<EmptyState title={t('audit.empty')} text={t('audit.empty.hint')} />}
      renderCard={(entry) => <EntryCard entry={entry} />}
    />
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  return (
    <span className="grid min-w-0">
      {entry.changes.slice(0, SHOWN_CHANGES).map((change) => (
        <span key={change.field} className="truncate">
          <Change resource={entry.resource} change={change} />
        </span>
      ))}
      {entry.changes.length > SHOWN_CHANGES && <span className="text-ink-3">…</span>}
    </span>
  )
}

function useAuditColumns(): Column<AuditEntry>[] {
  const { t, lang } = useLanguage()
  const sentence = useSentence()
  const vendor = useVendorColumn<AuditEntry>(({ vendorId }) => [vendorId])
  return [
    {
      key: 'when',
      title: t('audit.when'),
      fixed: true,
      width: 240,
      cell: ({ at }) => <bdi>{formatDateTime(new Date(at), lang)}</bdi>,
    },
    { key: 'who', title: t('audit.who'), fixed: true, width: 210, cell: (entry) => <Authors entry={entry} /> },
    ...vendor,
    {
      key: 'what',
      title: t('audit.what'),
      fixed: true,
      cell: (entry) => <bdi className="block truncate">{sentence(entry)}</bdi>,
    },
    { key: 'changes', title: t('audit.changes'), fixed: true, from: 'lg', cell: (entry) => <Changes entry={entry} /> },
  ]
}

function EntryCard({ entry }: { entry: AuditEntry }) {
  const { lang } = useLanguage()
  const sentence = useSentence()
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <b className="font-strong">{sentence(entry)}</b>
      <Authors entry={entry} />
      <Changes entry={entry} />
      <span className="text-caption text-ink-3">{formatDateTime(new Date(entry.at), lang)}</span>
    </span>
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(auditQuery(readSearch(auditShape, search))),
  ])
}

export const page: Page = {
  Component: AuditPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('audit.title'), hidden: true }),
}
