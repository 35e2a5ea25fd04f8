import { type Hook, type hookStates, listHooks, MOST_COUNTED } from '@qatra/contract/outgoing-webhooks'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import type { Page, PageRequest } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { flagIn, idIn, useSearchState } from '../../lib/search-state.ts'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { wholeList } from '../../ui/admin/list/use-list.ts'
import { StateBadge } from '../../ui/admin/StateBadge.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CheckIcon, CloseIcon, type Icon, PlusIcon, WarningIcon } from '../../ui/icons.tsx'
import { HookPanel, NewHook } from './HookPanel.tsx'

const badges: Record<(typeof hookStates)[number], { tone: 'gulf' | 'quiet' | 'problem'; icon: Icon }> = {
  live: { tone: 'gulf', icon: CheckIcon },
  failing: { tone: 'problem', icon: WarningIcon },
  stopped: { tone: 'problem', icon: CloseIcon },
  off: { tone: 'quiet', icon: CloseIcon },
}
const REFRESH_MS = 10_000
const hooksShape = { new: flagIn, open: idIn }

function HooksPage() {
  const t = useT()
  const query = useQuery({ ...read(listHooks, { query: {} }), refetchInterval: REFRESH_MS })
  const [state, setState] = useSearchState(hooksShape)
  const opened = query.data?.find(({ id }) => id === state.open)
  const close = () => setState({ new: false, open: undefined })
  const begin = () => setState({ new: true, open: undefined })
  const columns = useColumns((id) => setState({ open: id, new: false }))
  const hasPanel = state.new || opened !== undefined
  return (
    <ListPage
      list={wholeList(query, query.data)}
      title={t('hooks.title')}
      subtitle={t('hooks.subtitle')}
      isSubtitleWide
      actions={
        <Button tone="gulf" size="small" icon={PlusIcon} onClick={begin}>
          {t('hooks.new')}
        </Button>
      }
      panel={
        state.new ? <NewHook onClose={close} /> : opened && <HookPanel key={opened.id} hook={opened} onClose={close} />
      }
      label={t('hooks.title')}
      columns={hasPanel ? columns.filter(({ key }) => key !== 'events') : columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ url }) => url}
      isDim={(hook) => hook.state === 'off'}
      empty={
        <EmptyState title={t('hooks.empty')} text={t('hooks.empty.hint')}>
          <Button tone="aqua" icon={PlusIcon} onClick={begin}>
            {t('hooks.new')}
          </Button>
        </EmptyState>
      }
      renderCard={(hook) => (
        <div className="grid gap-2">
          <div className="flex items-start justify-between gap-3">
            <Address of={hook} />
            <Badge of={hook} />
          </div>
          <div className="flex items-end justify-between gap-3 text-ink-2">
            <Waiting of={hook} />
            <Open onOpen={() => setState({ open: hook.id, new: false })} />
          </div>
        </div>
      )}
    />
  )
}

function useColumns(onOpen: (id: number) => void): Column<Hook>[] {
  const t = useT()
  return [
    { key: 'url', title: t('hooks.url'), cell: (hook) => <Address of={hook} /> },
    { key: 'state', title: t('hooks.state'), width: 150, cell: (hook) => <Badge of={hook} /> },
    {
      key: 'events',
      title: t('hooks.events'),
      from: 'lg',
      cell: ({ events }) => events.map((one) => t(`hooks.event.${one}`)).join(t('keys.may.comma')),
    },
    { key: 'waiting', title: t('hooks.waiting'), width: 150, cell: (hook) => <Waiting of={hook} /> },
    { key: 'act', title: '', align: 'end', width: 130, cell: ({ id }) => <Open onOpen={() => onOpen(id)} /> },
  ]
}

function Open({ onOpen }: { onOpen(): void }) {
  return <ToolbarButton onClick={onOpen}>{useT()('hooks.open')}</ToolbarButton>
}

function Badge({ of: { state } }: { of: Hook }) {
  const t = useT()
  return <StateBadge {...badges[state]}>{t(`hooks.state.${state}`)}</StateBadge>
}

function Waiting({ of: { waiting } }: { of: Hook }) {
  const t = useT()
  return <>{waiting < MOST_COUNTED ? t('hooks.waiting.count', { count: waiting }) : t('hooks.waiting.most')}</>
}

function Address({ of: { url, vendorId } }: { of: Hook }) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors = [] } = useQuery(read(listVendors))
  const vendor = vendors.find(({ id }) => id === vendorId)
  return (
    <span className="grid min-w-0">
      <bdi dir="ltr" className="truncate font-strong">
        {url}
      </bdi>
      <span className="text-caption text-ink-3">
        {vendorId === null ? t('keys.market') : vendor ? nameIn(vendor) : `#${vendorId}`}
      </span>
    </span>
  )
}

async function load({ queries }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(read(listHooks, { query: {} })),
  ])
}

export const page: Page = {
  Component: HooksPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('hooks.title'), hidden: true }),
}
