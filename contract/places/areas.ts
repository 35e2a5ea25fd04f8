import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams, rowIdNumber } from '../lib/ids.ts'
import { areaGeometry, coordinates } from './geo.ts'

export const areaName = z.object({ id: z.number(), name: z.string(), nameAr: z.nullable(z.string()) })
export const areaSummary = z.extend(areaName, {
  areaId: z.string(),
  /** A point inside the area: the pin if the area is chosen from the list. */
  centre: coordinates,
  vendorIds: z.array(z.number()),
})
export type AreaSummary = z.output<typeof areaSummary>
export const area = z.extend(areaSummary, { geometry: areaGeometry })
export type Area = z.output<typeof area>

/** A latitude or longitude in a query: plain decimal notation only. */
const degrees = (limit: number) =>
  z.pipe(
    z.string().check(z.regex(/^-?\d{1,3}(\.\d{1,20})?$/)),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.number().check(z.gte(-limit), z.lte(limit)),
    ),
  )
export const pointQuery = z.object({ lat: degrees(90), lng: degrees(180) })

export const listAreas = endpoint({
  method: 'GET',
  path: '/api/areas',
  allow: 'anyone',
  summary: 'Delivery areas with the vendors that serve them',
  returns: z.array(areaSummary),
})

export const findAreaAt = endpoint({
  method: 'GET',
  path: '/api/areas/coordinates',
  allow: 'anyone',
  summary: 'Area of a point; the smaller one if two cover it',
  query: pointQuery,
  returns: areaSummary,
  errors: ['AREA_NOT_FOUND'],
})

export const deliveryArea = z.object({
  area: z.nullable(areaSummary),
  /** The person chose the area on this page; false if it is the area of the default address. */
  isChosen: z.boolean(),
})
export type DeliveryArea = z.output<typeof deliveryArea>

export const getDeliveryArea = endpoint({
  method: 'GET',
  path: '/api/delivery-area',
  allow: 'anyone',
  summary:
    'Where to deliver: the area that the person chose, which visitors keep in the cookie `area`, else that of the default address',
  returns: deliveryArea,
})

export const chooseDeliveryArea = endpoint({
  method: 'PUT',
  path: '/api/delivery-area',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Keep the area to which the signed-in person wants deliveries, until the next order',
  body: z.object({ areaId: rowIdNumber }),
  returns: deliveryArea,
  errors: ['AREA_NOT_FOUND'],
})

export const getArea = endpoint({
  method: 'GET',
  path: '/api/areas/{id}',
  allow: 'anyone',
  summary: 'One area with its outline',
  params: idParams,
  returns: area,
  errors: ['AREA_NOT_FOUND'],
})
