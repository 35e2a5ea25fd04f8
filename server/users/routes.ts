import * as areasApi from '@qatra/contract/places/areas'
import * as addressesApi from '@qatra/contract/users/addresses'
import * as api from '@qatra/contract/users/auth'
import * as usersApi from '@qatra/contract/users/users'
import type { Serving } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { userOf } from '../database/context.ts'
import type { PersonalData } from '../database/personal-data.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { eraseAccount, exportAccount } from './account.commands.ts'
import { changeAddress, createAddress, removeAddress } from './address-book.commands.ts'
import { describeAddress, listAddressRows } from './address-book.queries.ts'
import { changeRole, type Revocation, removeVendorAccess, updatePerson } from './admin.commands.ts'
import { listPeople, requirePerson } from './admin.queries.ts'
import { chooseDeliveryArea } from './delivery-area.commands.ts'
import { readDeliveryArea } from './delivery-area.queries.ts'

/** Per person. Leaves room for retries after network errors. */
const exportsOfPerson = { burst: 60, perMinute: 1 }

/** Export and erasure of personal data, using the registrations of all features. */
export function accountRoutes(app: App, features: readonly PersonalData[]) {
  const exporting = app.rateLimiters.create('exports', { ...exportsOfPerson, keyOf: (userId) => userId })
  serve(app, api.exportAccount, async (ctx) => {
    await exporting.consume(String(userOf(ctx).id))
    return exportAccount(ctx, features)
  })
  serve(app, api.eraseAccount, (ctx) => eraseAccount(ctx, app.cookies, features))
}

export function addressBookRoutes(app: App, { current }: Pick<ReferenceData<AreaSnapshot>, 'current'>) {
  serve(app, addressesApi.listAddresses, async (ctx) =>
    (await listAddressRows(ctx, userOf(ctx).id)).map((row) => describeAddress(current(), row)),
  )
  serve(app, addressesApi.createAddress, (ctx, { body }) => createAddress(ctx, current(), body))
  serve(app, addressesApi.changeAddress, (ctx, { params, body }) => changeAddress(ctx, current(), params.id, body))
  serve(app, addressesApi.removeAddress, (ctx, { params }) => removeAddress(ctx, params.id))
}

export function peopleRoutes(app: App, revocation: Revocation) {
  serve(app, usersApi.listUsers, (ctx, { query }) => listPeople(ctx, query))
  serve(app, usersApi.getUser, (ctx, { params }) => requirePerson(ctx, params.id))
  serve(app, usersApi.updateUser, (ctx, { params, body }) => updatePerson(ctx, params.id, body, revocation))
  serve(app, usersApi.changeRole, (ctx, { params, body }) => changeRole(ctx, params.id, body, revocation))
  serve(app, usersApi.removeVendorAccess, (ctx, { params }) => removeVendorAccess(ctx, params.id, revocation))
}

export function deliveryAreaRoutes(app: App, { current }: Pick<ReferenceData<AreaSnapshot & Serving>, 'current'>) {
  serve(app, areasApi.getDeliveryArea, (ctx) => readDeliveryArea(ctx, current()))
  serve(app, areasApi.chooseDeliveryArea, (ctx, { body }) => chooseDeliveryArea(ctx, current(), body.areaId))
}
