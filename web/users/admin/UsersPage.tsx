import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { choiceName } from '@qatra/contract/users/permissions'
import { roles } from '@qatra/contract/users/roles'
import { type AdminUser, activityWindows, listUsers, MOST_COUNTED, type userSorts } from '@qatra/contract/users/users'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import type { Page, PageRequest } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import {
  idIn,
  oneOf,
  type Param,
  pageNumber,
  readSearch,
  type StateOf,
  sortBy,
  textIn,
} from '../../lib/search-state.ts'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { type Column, ColumnMenu, useColumns } from '../../ui/admin/table/table-columns.tsx'
import { NameOrPhone, Phone } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon, ShieldIcon } from '../../ui/icons.tsx'
import { ActivityDot } from './Activity.tsx'
import { InvitationsPanel } from './InvitationsPanel.tsx'
import { NewPerson } from './NewPerson.tsx'
import { PersonPanel } from './PersonPanel.tsx'
import { useVendorNames } from './person-cache.ts'

/** The open panel: a person, the form for a new one, or the invitations. */
const open: Param<number | 'new' | 'invitations' | undefined> = {
  read: (texts) => (texts[0] === 'new' || texts[0] === 'invitations' ? texts[0] : idIn.read(texts)),
  write: (value) => (value === undefined ? [] : [String(value)]),
}

const peopleShape = {
  show: oneOf(['staff', 'all', 'off']),
  role: oneOf(roles),
  vendor: idIn,
  seen: oneOf(['online', 'recent', 'today']),
  q: textIn(100),
  sort: sortBy(['name', 'createdAt', 'lastActiveAt', 'lastLoginAt'], '-lastActiveAt'),
  page: pageNumber,
  open,
}
type PeopleState = StateOf<typeof peopleShape>

/** Names sort ascending, times descending; the other direction is not offered. */
const sortOf = (sort: PeopleState['sort']): (typeof userSorts)[number] => {
  const key = sort.replace('-', '')
  if (key === 'name') return 'name'
  return key === 'createdAt' ? '-createdAt' : key === 'lastLoginAt' ? '-lastLoginAt' : '-lastActiveAt'
}

/** The list opens on the team; a search, or customers as the role, look through everybody. */
const shownIn = ({ show, q, role }: Pick<PeopleState, 'show' | 'q' | 'role'>) =>
  show ?? (q || role === 'customer' ? 'all' : 'staff')

const peopleQuery = ({ show, role, vendor, seen, q, sort, page }: PeopleState) =>
  read(listUsers, {
    query: {
      page,
      limit: PAGE_SIZE,
      sort: sortOf(sort),
      ...(q && { search: q }),
      ...(role && { role }),
      ...(vendor && { vendorId: String(vendor) }),
      ...(seen && { activity: seen }),
      ...(shownIn({ show, q, role }) === 'staff' && { staff: 'true' as const }),
      ...(show === 'off' && { isActive: 'false' as const }),
    },
  })

/** Columns hidden while the panel is open; it shows them. */
const besidePanel = new Set(['verified', 'lastLoginAt'])
const HEARTBEAT_MS = 60_000

function UsersPage() {
  const { t } = useLanguage()
  const self = useUser()
  const list = useList(peopleShape, peopleQuery, { refetchInterval: HEARTBEAT_MS })
  const { state, setState, data } = list
  const { options: vendors } = useVendorNames()
  const columns = useColumns('users', useUserColumns())
  const isSuper = self?.role === 'super_admin'
  const mayAdd = self?.permissions.includes('users.write') ?? false
  const close = () => setState({ open: undefined, page: state.page })
  const show = (open: number | 'new' | 'invitations') => setState({ open, page: state.page })
  const tab = (key: 'all' | 'staff' | 'off', words: string) => ({ key, label: words, search: { show: key } })
  return (
    <ListPage
      list={list}
      title={t('users.title')}
      isSubtitleWide
      subtitle={data && (data.total === MOST_COUNTED ? t('users.most') : t('users.count', { count: data.total }))}
      actions={
        mayAdd && (
          <>
            <Button size="small" tone="outline" onClick={() => show('invitations')}>
              {t('users.invitations')}
            </Button>
            <Link to="/admin/users/import" className={buttonClass('outline', 'small')}>
              {t('users.import')}
            </Link>
            <Button size="small" tone="gulf" icon={PlusIcon} onClick={() => show('new')}>
              {t(isSuper ? 'users.add' : 'users.invite')}
            </Button>
          </>
        )
      }
      head={
        <Tabs
          label={t('users.list')}
          // All people of a vendor are its team.
          chosen={!isSuper && shownIn(state) === 'all' ? 'staff' : shownIn(state)}
          items={[
            tab('staff', t('users.tab.staff')),
            ...(isSuper ? [tab('all', t('users.tab.all'))] : []),
            tab('off', t('users.tab.off')),
          ]}
        />
      }
      search={t('users.search')}
      filters={
        <>
          <ChoiceFilter
            label={t('users.role')}
            {...list.choice('role')}
            options={roles.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
          />
          {isSuper && (
            <ChoiceFilter label={t('admin.vendor')} searchable {...list.choice('vendor')} options={vendors} />
          )}
          <ChoiceFilter
            label={t('users.activity')}
            {...list.choice('seen')}
            options={(Object.keys(activityWindows) as (keyof typeof activityWindows)[]).map((value) => ({
              value,
              label: t(`users.activity.window.${value}`),
            }))}
          />
        </>
      }
      tools={<ColumnMenu {...columns} />}
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
      label={t('users.list')}
      columns={state.open === undefined ? columns.shown : columns.shown.filter(({ key }) => !besidePanel.has(key))}
      rowKey={({ id }) => String(id)}
      rowLabel={(person) => nameOf(person)}
      openKey={typeof state.open === 'number' ? String(state.open) : undefined}
      onOpen={({ id }) => show(id)}
      isDim={({ isActive }) => !isActive}
      empty={<EmptyState title={t('users.empty')} text={t('users.empty.hint')} />}
      renderCard={(person) => <PersonCard person={person} />}
    />
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
    { key: 'role', title: t('users.role'), cell: (person) => t(`admin.role.${choiceName(person)}`), width: 124 },
    {
      key: 'vendor',
      title: t('admin.vendor'),
      from: 'lg',
      width: 120,
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
      width: 160,
      cell: (person) => (person.isActive ? <ActivityDot person={person} /> : <span>{t('users.off')}</span>),
    },
    {
      key: 'lastLoginAt',
      title: t('users.lastLogin'),
      sortable: true,
      from: 'xl',
      width: 208,
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
        <NameOrPhone {...person} className="block truncate font-strong" />
        <span className="block truncate text-ink-2">
          {t(`admin.role.${choiceName(person)}`)}
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
    queries.ensureQueryData(peopleQuery(readSearch(peopleShape, search))),
  ])
}

export const page: Page = {
  Component: UsersPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('users.title'), hidden: true }),
}
