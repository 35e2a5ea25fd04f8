import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { isolated } from '@qatra/contract/lib/text'
import { type AdminLink, type LinkState, linkStates, listLinks, revokeLink } from '@qatra/contract/links/admin'
import { listUsers, MOST_COUNTED } from '@qatra/contract/users/users'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page, PageRequest } from '../../app/page.ts'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { flagIn, idIn, oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../lib/search-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { StateBadge } from '../../ui/admin/StateBadge.tsx'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CheckIcon, ClockIcon, CloseIcon, type Icon, LinkIcon, PlusIcon, WarningIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { NewLink } from './NewLink.tsx'
import { useTargets } from './target.ts'

const badges: Record<LinkState, { tone: 'gulf' | 'quiet' | 'problem'; icon: Icon }> = {
  live: { tone: 'gulf', icon: LinkIcon },
  used: { tone: 'quiet', icon: CheckIcon },
  expired: { tone: 'quiet', icon: ClockIcon },
  revoked: { tone: 'problem', icon: CloseIcon },
}

function LinkBadge({ link }: { link: Pick<AdminLink, 'state'> }) {
  const t = useT()
  return <StateBadge {...badges[link.state]}>{t(`links.state.${link.state}`)}</StateBadge>
}

/** When the state of the link began, or when a live link ends. */
function StateTime({ link }: { link: AdminLink }) {
  const { t, lang } = useLanguage()
  const at = { used: link.usedAt, revoked: link.revokedAt, expired: link.expiresAt, live: link.expiresAt }[link.state]
  return <>{t(`links.until.${link.state}`, { at: at === null ? '' : formatDateTime(new Date(at), lang) })}</>
}

function Sending({ link }: { link: AdminLink }) {
  const t = useT()
  const failed = link.sending === 'failed'
  return (
    <span className={failed ? 'inline-flex items-center gap-1 text-clay' : 'text-ink-2'}>
      {failed && <WarningIcon size={14} aria-hidden="true" />}
      {t(`links.sending.${link.sending}`)}
    </span>
  )
}

const makersQuery = () => read(listUsers, { query: { role: 'super_admin', limit: 100 } })
/** Columns hidden while the panel is open. */
const besidePanel = new Set(['sending', 'made'])
const listOf = (state: LinksState) => read(listLinks, { query: linksQuery(state) })
const nameOf = ({ customer, phone }: AdminLink) => customer?.name ?? phone

function LinksPage() {
  const t = useT()
  const list = useList(linksShape, listOf)
  const { state, setState, data } = list
  const { data: makers } = useQuery(makersQuery())
  const [revoking, setRevoking] = useState<AdminLink | null>(null)
  const columns = useLinkColumns(setRevoking)
  const { page } = state
  const isFiltered = state.q !== '' || state.by !== undefined || state.state !== undefined
  const open = () => setState({ new: true, page })
  return (
    <ListPage
      list={list}
      title={t('links.title')}
      subtitle={data && (data.total === MOST_COUNTED ? t('links.most') : t('links.count', { count: data.total }))}
      actions={
        <Button tone="gulf" size="small" icon={PlusIcon} onClick={open}>
          {t('links.new')}
        </Button>
      }
      head={
        <Tabs
          label={t('links.views')}
          chosen={state.state ?? 'all'}
          items={[
            { key: 'all', label: t('links.all'), search: { state: undefined } },
            ...linkStates.map((key) => ({ key, label: t(`links.state.${key}`), search: { state: key } })),
          ]}
        />
      }
      search={t('links.search')}
      filters={
        <ChoiceFilter
          label={t('links.by')}
          {...list.choice('by')}
          options={(makers?.items ?? []).map(({ id, name, phone }) => ({ value: id, label: name ?? phone }))}
        />
      }
      panel={state.new && <NewLink onClose={() => setState({ new: false, page })} />}
      label={t('links.list')}
      columns={state.new ? columns.filter(({ key }) => !besidePanel.has(key)) : columns}
      rowKey={({ id }) => String(id)}
      rowLabel={nameOf}
      isDim={(link) => link.state !== 'live'}
      empty={
        isFiltered ? (
          <EmptyState title={t('links.empty')} text={t('links.empty.filtered')} />
        ) : (
          <EmptyState title={t('links.empty')} text={t('links.empty.hint')}>
            <Button tone="aqua" icon={PlusIcon} onClick={open}>
              {t('links.new')}
            </Button>
          </EmptyState>
        )
      }
      renderCard={(link) => <LinkCard link={link} onRevoke={setRevoking} />}
    >
      <RevokeDialog key={revoking?.id} link={revoking} onClose={() => setRevoking(null)} />
    </ListPage>
  )
}

function RevokeDialog({ link, onClose }: { link: AdminLink | null; onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'links'))
  const revoke = ({ id }: AdminLink) =>
    run(async () => {
      await call(revokeLink, { params: { id: String(id) } })
      toast({ title: t('links.revoked') })
      onClose()
    }).finally(() => void queries.invalidateQueries({ queryKey: [listLinks.path] }))
  return (
    <ConfirmDialog
      open={link !== null}
      tone="danger"
      title={t('links.revoke.title')}
      confirm={t('links.revoke.confirm')}
      busy={busy}
      error={problem}
      onConfirm={() => link && void revoke(link)}
      onCancel={onClose}
    >
      {link && <p>{t('links.revoke.text', { name: isolated(nameOf(link)) })}</p>}
    </ConfirmDialog>
  )
}

function Whose({ link }: { link: AdminLink }) {
  const t = useT()
  return (
    <span className="grid min-w-0">
      <bdi className="text-as-page truncate font-strong">
        {link.customer ? (link.customer.name ?? t('links.for.noName')) : t('links.for.new')}
      </bdi>
      <bdi dir="ltr" className="w-fit text-caption text-ink-3">
        {link.phone}
      </bdi>
    </span>
  )
}

function useLinkColumns(onRevoke: (link: AdminLink) => void): Column<AdminLink>[] {
  const { t, lang } = useLanguage()
  const targets = useTargets()
  return [
    { key: 'for', title: t('links.for'), cell: (link) => <Whose link={link} /> },
    { key: 'state', title: t('links.state'), width: 120, cell: (link) => <LinkBadge link={link} /> },
    { key: 'until', title: t('links.until'), width: 265, cell: (link) => <StateTime link={link} /> },
    { key: 'target', title: t('links.target'), from: 'lg', cell: (link) => <bdi>{targets.nameOf(link)}</bdi> },
    { key: 'sending', title: t('links.sending'), from: 'xl', width: 150, cell: (link) => <Sending link={link} /> },
    {
      key: 'made',
      title: t('links.made'),
      from: 'xl',
      cell: ({ createdBy, createdAt }) => (
        <span className="grid min-w-0">
          <bdi className="text-as-page truncate">{createdBy ? (createdBy.name ?? '—') : t('links.by.shop')}</bdi>
          <bdi className="text-caption text-ink-3">{formatDateTime(new Date(createdAt), lang)}</bdi>
        </span>
      ),
    },
    {
      key: 'act',
      title: '',
      align: 'end',
      width: 150,
      cell: (link) =>
        link.can.revoke && (
          <ToolbarButton icon={CloseIcon} tone="danger" onClick={() => onRevoke(link)}>
            {t('links.revoke')}
          </ToolbarButton>
        ),
    },
  ]
}

function LinkCard({ link, onRevoke }: { link: AdminLink; onRevoke(link: AdminLink): void }) {
  const t = useT()
  const targets = useTargets()
  return (
    <div className="grid gap-2">
      <div className="flex items-start justify-between gap-3">
        <Whose link={link} />
        <LinkBadge link={link} />
      </div>
      <div className="flex items-end justify-between gap-3 text-ink-2">
        <span className="min-w-0">
          <span className="block">
            <StateTime link={link} />
          </span>
          <bdi>{targets.nameOf(link)}</bdi>
          {link.sending !== 'none' && (
            <>
              {' '}
              · <Sending link={link} />
            </>
          )}
        </span>
        {link.can.revoke && (
          <ToolbarButton icon={CloseIcon} tone="danger" onClick={() => onRevoke(link)}>
            {t('links.revoke')}
          </ToolbarButton>
        )}
      </div>
    </div>
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(makersQuery()),
    queries.ensureQueryData(listOf(readSearch(linksShape, search))),
  ])
}

export const linksShape = {
  state: oneOf(linkStates),
  by: idIn,
  q: textIn(100),
  page: pageNumber,
  /** The form of a new link is open. */
  new: flagIn,
}
type LinksState = StateOf<typeof linksShape>

export const linksQuery = ({ state, by, q, page }: LinksState): NonNullable<Input<typeof listLinks>['query']> => ({
  page,
  limit: PAGE_SIZE,
  ...(state && { state }),
  ...(by && { createdBy: String(by) }),
  ...(q && { search: q }),
})

export const page: Page = {
  Component: LinksPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('links.title'), hidden: true }),
}
