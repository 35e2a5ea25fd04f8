import { formatDateTime } from '@qatra/contract/calendar'
import { roles } from '@qatra/contract/roles'
import { type AdminUser, activityWindows, listUsers, MOST_COUNTED } from '@qatra/contract/users'
import { listVendors } from '@qatra/contract/vendors'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../app/i18n.tsx'
import type { Page, PageRequest } from '../../app/page.ts'
import { readSearch, useSearchState } from '../../app/search-state.ts'
import { useUser } from '../../app/session.ts'
import { read } from '../../lib/api-client.ts'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { ChoiceFilter } from '../../ui/admin/ChoiceFilter.tsx'
import { DataTable } from '../../ui/admin/DataTable.tsx'
import { Desk } from '../../ui/admin/Desk.tsx'
import { FilterBar, SearchFilter } from '../../ui/admin/FilterBar.tsx'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { type Column, ColumnMenu, useColumns } from '../../ui/admin/table-columns.tsx'
import { Phone } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon, ShieldIcon } from '../../ui/icons.tsx'
import { ActivityDot } from './Activity.tsx'
import { InvitationsPanel } from './InvitationsPanel.tsx'
import { NewPerson } from './NewPerson.tsx'
import { PersonPanel } from './PersonPanel.tsx'
import { useVendorNames } from './person-cache.ts'
import { PAGE_SIZE, peopleQuery, peopleShape } from './search.ts'

/** Columns hidden while the panel is open; it shows them. */
const besidePanel = new Set(['verified', 'lastLoginAt'])
const HEARTBEAT_MS = 60_000
const listOf = (state: Parameters<typeof peopleQuery>[0]) => read(listUsers, { query: peopleQuery(state) })

function UsersPage() {
  const { t } = useLanguage()
  const self = useUser()
  const [state, setState] = useSearchState(peopleShape)
  const { options: vendors } = useVendorNames()
  const query = useQuery({ ...listOf(state), placeholderData: keepPreviousData, refetchInterval: HEARTBEAT_MS })
  const columns = useColumns('users', useUserColumns())
  const isSuper = self?.role === 'super_admin'
  const mayAdd = self?.permissions.includes('users.write') ?? false
  const close = () => setState({ open: undefined, page: state.page })
  const show = (open: number | 'new' | 'invitations') => setState({ open, page: state.page })
  const tab = (key: 'all' | 'staff' | 'off', words: string) => ({
    key,
    label: words,
    search: { show: key === 'all' ? undefined : key },
  })
  return (
    <Desk
      title={t('users.title')}
      isWaiting={query.isPending}
      isSubtitleWide
      subtitle={
        query.data &&
        (query.data.total === MOST_COUNTED ? t('users.most') : t('users.count', { count: query.data.total }))
      }
      actions={
        mayAdd && (
          <>
            <Button size="small" tone="outline" onClick={() => show('invitations')}>
              {t('users.invitations')}
            </Button>
            <Button size="small" tone="gulf" icon={PlusIcon} onClick={() => show('new')}>
              {t(isSuper ? 'users.add' : 'users.invite')}
            </Button>
          </>
        )
      }
      head={
        <>
          <Tabs
            label={t('users.list')}
            chosen={state.show ?? 'all'}
            items={[
              tab('all', t('users.tab.all')),
              ...(isSuper ? [tab('staff', t('users.tab.staff'))] : []),
              tab('off', t('users.tab.off')),
            ]}
          />
          <FilterBar end={<ColumnMenu {...columns} />}>
            <SearchFilter
              label={t('users.search')}
              value={state.q}
              onChange={(q) => setState({ q }, { replace: true })}
            />
            <ChoiceFilter
              label={t('users.role')}
              values={state.role ? [state.role] : []}
              options={roles.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
              onChange={([role]) => setState({ role })}
            />
            {isSuper && (
              <ChoiceFilter
                label={t('users.vendor')}
                searchable
                values={state.vendor ? [state.vendor] : []}
                options={vendors}
                onChange={([vendor]) => setState({ vendor })}
              />
            )}
            <ChoiceFilter
              label={t('users.activity')}
              values={state.seen ? [state.seen] : []}
              options={(Object.keys(activityWindows) as (keyof typeof activityWindows)[]).map((value) => ({
                value,
                label: t(`users.activity.window.${value}`),
              }))}
              onChange={([seen]) => setState({ seen })}
            />
          </FilterBar>
        </>
      }
      panel={
        state.open === 'new' ? (
          <NewPerson
            onAdded={({ id }) => show(id)}
            onInvited={() => show('invitations')}
            onKnown={show}
            onClose={close}
          />
        ) : state.open === 'invitations' ? (
          <InvitationsPanel onClose={close} />
        ) : (
          state.open !== undefined && <PersonPanel key={state.open} id={state.open} onClose={close} />
        )
      }
    >
      <DataTable
        label={t('users.list')}
        columns={state.open === undefined ? columns.shown : columns.shown.filter(({ key }) => !besidePanel.has(key))}
        rows={query.data?.items}
        rowKey={({ id }) => String(id)}
        rowLabel={(person) => nameOf(person)}
        sort={state.sort}
        onSort={(sort) => setState({ sort: readSearch(peopleShape, { sort }).sort })}
        openKey={typeof state.open === 'number' ? String(state.open) : undefined}
        onOpen={({ id }) => show(id)}
        isDim={({ isActive }) => !isActive}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyState title={t('users.empty')} text={t('users.empty.hint')} />}
        renderCard={(person) => <PersonCard person={person} />}
        page={state.page}
        limit={PAGE_SIZE}
        total={query.data?.total}
        onPage={(page) => setState({ page })}
      />
    </Desk>
  )
}

const nameOf = ({ name, phone }: Pick<AdminUser, 'name' | 'phone'>) => name ?? phone

function useUserColumns(): Column<AdminUser>[] {
  const { t, lang } = useLanguage()
  const { nameOf: vendorName } = useVendorNames()
  return [
    {
      key: 'name',
      title: t('users.name'),
      fixed: true,
      sortable: true,
      cell: (person) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={nameOf(person)} size="small" />
          <bdi className="truncate font-strong">{person.name ?? t('users.noName')}</bdi>
        </span>
      ),
    },
    { key: 'phone', title: t('users.phone'), cell: ({ phone }) => <Phone phone={phone} />, width: 144 },
    { key: 'role', title: t('users.role'), cell: ({ role }) => t(`admin.role.${role}`), width: 124 },
    {
      key: 'vendor',
      title: t('users.vendor'),
      from: 'lg',
      cell: ({ vendorId }) => (vendorId === null ? '' : <bdi>{vendorName(vendorId)}</bdi>),
    },
    {
      key: 'verified',
      title: t('users.verified'),
      from: 'xl',
      width: 104,
      cell: ({ isVerified }) =>
        isVerified ? (
          <span className="flex items-center gap-1.5">
            <ShieldIcon size={16} aria-hidden="true" className="text-aqua-ink" />
            {t('users.isVerified')}
          </span>
        ) : (
          <span className="text-ink-3">{t('users.notVerified')}</span>
        ),
    },
    {
      key: 'lastActiveAt',
      title: t('users.activity'),
      sortable: true,
      width: 136,
      cell: (person) => (person.isActive ? <ActivityDot person={person} /> : <span>{t('users.off')}</span>),
    },
    {
      key: 'lastLoginAt',
      title: t('users.lastLogin'),
      sortable: true,
      from: 'xl',
      width: 204,
      cell: ({ lastLoginAt }) =>
        lastLoginAt ? (
          <bdi>{formatDateTime(new Date(lastLoginAt), lang)}</bdi>
        ) : (
          // The column before shows that there was no sign-in.
          <span className="text-ink-3">—</span>
        ),
    },
  ]
}

function PersonCard({ person }: { person: AdminUser }) {
  const { t } = useLanguage()
  const { nameOf: vendorName } = useVendorNames()
  return (
    <span className="flex items-center gap-3">
      <Avatar name={nameOf(person)} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-strong">{nameOf(person)}</bdi>
        <span className="block truncate text-ink-2">
          {t(`admin.role.${person.role}`)}
          {person.vendorId !== null && <bdi> · {vendorName(person.vendorId)}</bdi>}
        </span>
      </span>
      <span className="text-caption text-ink-2">
        {person.isActive ? <ActivityDot person={person} /> : t('users.off')}
      </span>
    </span>
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(listOf(readSearch(peopleShape, search))),
  ])
}

export const page: Page = {
  Component: UsersPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('users.title'), hidden: true }),
}
