import { type ApiKey, type keyStates, listKeys, revokeKey } from '@qatra/contract/api-keys'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { isolated, leftToRight } from '@qatra/contract/lib/text'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page, PageRequest } from '../../app/page.ts'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { flagIn, pageNumber, readSearch, type StateOf } from '../../lib/search-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { StateBadge } from '../../ui/admin/StateBadge.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CheckIcon, ClockIcon, CloseIcon, type Icon, PlusIcon, WarningIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { NewKey } from './NewKey.tsx'

const badges: Record<(typeof keyStates)[number], { tone: 'gulf' | 'quiet' | 'problem'; icon: Icon }> = {
  live: { tone: 'gulf', icon: CheckIcon },
  idle: { tone: 'problem', icon: WarningIcon },
  expired: { tone: 'quiet', icon: ClockIcon },
  revoked: { tone: 'quiet', icon: CloseIcon },
}

export const keysShape = {
  page: pageNumber,
  /** The form of a new key is open. */
  new: flagIn,
}
export const keysQuery = ({ page }: StateOf<typeof keysShape>) => ({ page, limit: PAGE_SIZE })
const listOf = (state: StateOf<typeof keysShape>) => read(listKeys, { query: keysQuery(state) })

function KeysPage() {
  const t = useT()
  const list = useList(keysShape, listOf)
  const { state, setState, data } = list
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const columns = useColumns(setRevoking)
  const open = () => setState({ new: true })
  return (
    <ListPage
      list={list}
      title={t('keys.title')}
      subtitle={data && t('keys.count', { count: data.total })}
      actions={
        <>
          <Link to="/admin/keys/webhooks" className={toolbarButtonClass()}>
            {t('keys.hooks')}
          </Link>
          <Button tone="gulf" size="small" icon={PlusIcon} onClick={open}>
            {t('keys.new')}
          </Button>
        </>
      }
      panel={state.new && <NewKey onClose={() => setState({ new: false })} />}
      label={t('keys.title')}
      columns={state.new ? columns.filter(({ key }) => !besidePanel.has(key)) : columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ name }) => name}
      isDim={(key) => key.state === 'expired' || key.state === 'revoked'}
      empty={
        <EmptyState title={t('keys.empty')} text={t('keys.empty.hint')}>
          <Button tone="aqua" icon={PlusIcon} onClick={open}>
            {t('keys.new')}
          </Button>
        </EmptyState>
      }
      renderCard={(key) => <KeyCard of={key} onRevoke={setRevoking} />}
    >
      <RevokeDialog key={revoking?.id} of={revoking} onClose={() => setRevoking(null)} />
    </ListPage>
  )
}

/** Columns hidden while the panel is open. */
const besidePanel = new Set(['may', 'used'])

function useColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const t = useT()
  return [
    { key: 'name', title: t('keys.name'), cell: (key) => <Name of={key} /> },
    { key: 'state', title: t('keys.state'), width: 130, cell: (key) => <Badge of={key} /> },
    { key: 'may', title: t('keys.may'), from: 'lg', cell: (key) => <Permissions of={key} /> },
    { key: 'used', title: t('keys.used'), from: 'xl', width: 200, cell: (key) => <LastUse of={key} /> },
    { key: 'until', title: t('keys.until'), width: 230, cell: (key) => <Until of={key} /> },
    {
      key: 'act',
      title: '',
      align: 'end',
      width: 150,
      cell: (key) => <Revoke of={key} onRevoke={onRevoke} />,
    },
  ]
}

function KeyCard({ of, onRevoke }: { of: ApiKey; onRevoke(key: ApiKey): void }) {
  return (
    <div className="grid gap-2">
      <div className="flex items-start justify-between gap-3">
        <Name of={of} />
        <Badge of={of} />
      </div>
      <Permissions of={of} />
      <div className="flex items-end justify-between gap-3 text-ink-2">
        <span className="grid min-w-0">
          <span>
            <Until of={of} />
          </span>
          <span>
            <LastUse of={of} />
          </span>
        </span>
        <Revoke of={of} onRevoke={onRevoke} />
      </div>
    </div>
  )
}

function Badge({ of: { state } }: { of: ApiKey }) {
  const t = useT()
  return <StateBadge {...badges[state]}>{t(`keys.state.${state}`)}</StateBadge>
}

function Name({ of: { name, ending, createdBy, vendorId } }: { of: ApiKey }) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors = [] } = useQuery(read(listVendors))
  const vendor = vendors.find(({ id }) => id === vendorId)
  const place = vendorId === null ? t('keys.market') : vendor ? nameIn(vendor) : `#${vendorId}`
  return (
    <span className="grid min-w-0">
      <bdi className="text-as-page truncate font-strong">{name}</bdi>
      <span className="truncate text-caption text-ink-3">
        {t('keys.about', { ending: leftToRight(`…${ending}`), maker: isolated(createdBy.name ?? '—'), place })}
      </span>
    </span>
  )
}

function Permissions({ of: { permissions, lost, state } }: { of: ApiKey }) {
  const t = useT()
  const held = permissions.filter((one) => !lost.includes(one))
  return (
    <span className="grid min-w-0">
      <span className="md:truncate">{held.map((one) => t(`keys.may.${one}`)).join(t('keys.may.comma'))}</span>
      {state === 'live' && lost.length > 0 && (
        <span className="inline-flex items-center gap-1 text-caption text-clay">
          <WarningIcon size={14} aria-hidden="true" />
          {t('keys.lost', { list: lost.map((one) => t(`keys.may.${one}`)).join(t('keys.may.comma')) })}
        </span>
      )}
    </span>
  )
}

function LastUse({ of: { lastUsedAt } }: { of: ApiKey }) {
  const { t, lang } = useLanguage()
  return (
    <>
      {lastUsedAt === null
        ? t('keys.used.never')
        : t('keys.used.at', { at: formatDateTime(new Date(lastUsedAt), lang) })}
    </>
  )
}

function Until({ of: { state, expiresAt, revokedAt, revokedBy } }: { of: ApiKey }) {
  const { t, lang } = useLanguage()
  const time = (at: string) => formatDateTime(new Date(at), lang)
  if (revokedAt !== null)
    return <>{t('keys.until.revoked', { at: time(revokedAt), name: isolated(revokedBy?.name ?? '—') })}</>
  if (expiresAt === null) return <>{t('keys.until.never')}</>
  return <>{t(state === 'expired' ? 'keys.until.expired' : 'keys.until.at', { at: time(expiresAt) })}</>
}

function Revoke({ of, onRevoke }: { of: ApiKey; onRevoke(key: ApiKey): void }) {
  const t = useT()
  if (of.state === 'revoked' || of.state === 'expired') return null
  return (
    <ToolbarButton icon={CloseIcon} tone="danger" onClick={() => onRevoke(of)}>
      {t('keys.revoke')}
    </ToolbarButton>
  )
}

function RevokeDialog({ of, onClose }: { of: ApiKey | null; onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'keys'))
  const revoke = ({ id }: ApiKey) =>
    run(async () => {
      await call(revokeKey, { params: { id: String(id) } })
      toast({ title: t('keys.revoked') })
      onClose()
    }).finally(() => void queries.invalidateQueries({ queryKey: [listKeys.path] }))
  return (
    <ConfirmDialog
      open={of !== null}
      tone="danger"
      title={t('keys.revoke.title')}
      confirm={t('keys.revoke.confirm')}
      busy={busy}
      error={problem}
      onConfirm={() => of && void revoke(of)}
      onCancel={onClose}
    >
      {of && <p>{t('keys.revoke.text', { name: isolated(of.name) })}</p>}
    </ConfirmDialog>
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(listOf(readSearch(keysShape, search))),
  ])
}

export const page: Page = {
  Component: KeysPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('keys.title'), hidden: true }),
}
