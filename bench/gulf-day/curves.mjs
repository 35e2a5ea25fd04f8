/**
 * A day of a marketplace as data: how many acts there are, when they arrive, and what that is at its peak. All of these
 * are assumptions to be replaced by a shop's own figures.
 */

/** Percent of a day's visits in each hour of Bahrain's time, from midnight. */
const curves = {
  ordinary: [2, 1, 1, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 4, 4, 5, 6, 7, 9, 9, 8, 6, 3],
  /** After tarawih until suhoor. */
  ramadan: [12, 10, 7, 5, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 2, 2, 3, 5, 9, 10, 11],
}

/** The curves with their busiest hour. */
export const arrivals = Object.entries(curves).map(([name, percent]) => {
  const sum = percent.reduce((all, one) => all + one, 0)
  if (percent.length !== 24 || sum !== 100) throw new Error(`The curve "${name}" has ${percent.length} hours, ${sum} %`)
  const peak = Math.max(...percent)
  return { name, percent: percent.join(' '), peakHour: percent.indexOf(peak), peakShare: peak / 100 }
})
const peakShare = Math.max(...arrivals.map((curve) => curve.peakShare))

/** Orders are packed, driven and looked at by the office in so many hours, evenly, the peak hour among them. */
const WORKING_HOURS = 10
export const STOPS_OF_RUN = 50
const CAMPAIGN = 100_000
/** The provider's limit and the default of CAMPAIGN_PER_SECOND; a smaller campaign is spread over twenty minutes. */
const CAMPAIGN_PER_SECOND = 80
const CAMPAIGN_SECONDS = 1_200
const DESK_ORDERS = 150

/** Acts for each order of the day. `byVisit` follows the curves, the others the working hours. */
const perOrder = {
  home: { times: 2.7, byVisit: true, is: 'home page, HTML' },
  product: { times: 1.3, byVisit: true, is: 'page of a product, HTML' },
  catalogue: { times: 6, byVisit: true, is: 'page within the open shop, JSON of a vendor’s products' },
  files: { times: 2, byVisit: true, is: 'scripts, styles and fonts of a first visit' },
  cart: { times: 4, byVisit: true, is: 'change of a cart' },
  order: { times: 1, byVisit: true, is: 'order placed, with its jobs and message' },
  look: { times: 3, byVisit: true, is: 'customer’s look at an order' },
  message: { times: 2, byVisit: true, is: 'WhatsApp message in, with the bot’s answer' },
  ship: { times: 1, byVisit: false, is: 'order given to a driver and shipped, 10 at once' },
  run: { times: 2, byVisit: false, is: `driver’s run of ${STOPS_OF_RUN} stops` },
  deliver: { times: 1, byVisit: false, is: 'delivery reported, with cash' },
  desk: { times: (WORKING_HOURS * 60) / DESK_ORDERS, byVisit: false, is: 'office list with its counts, once a minute' },
  /** Placed, given to a driver, shipped, delivered; each to two people of the office or the driver, and to the customer. */
  event: { times: 12, byVisit: false, is: 'event sent to an open stream' },
}

export const sizes = [
  { name: 'one vendor', orders: 300, campaign: 2_000 },
  { name: 'Bahrain', orders: 15_000, campaign: 30_000 },
  { name: 'the Gulf', orders: 150_000, campaign: CAMPAIGN },
]
export const gulf = sizes[2]

/** Streams that are open at the peak: a desk, a driver's page, customers who follow an order (2 % of a day's). */
const streamsOf = ({ orders }) =>
  Math.ceil(orders / DESK_ORDERS) + Math.ceil(orders / STOPS_OF_RUN) + Math.ceil(orders * 0.02)

/** What happens on a day: `daily` times each, `peak` times a second in the busiest hour; streams and their minutes. */
export function dayOf(size) {
  const acts = Object.entries(perOrder).map(([name, { times, byVisit, is }]) => {
    const daily = Math.round(size.orders * times)
    return { name, is, daily, peak: (daily * (byVisit ? peakShare : 1 / WORKING_HOURS)) / 3600 }
  })
  // Two campaigns a day, never at the same time.
  const campaign = {
    name: 'campaign',
    is: 'message of a campaign',
    daily: size.campaign * 2,
    peak: Math.min(CAMPAIGN_PER_SECOND, size.campaign / CAMPAIGN_SECONDS),
  }
  const streams = streamsOf(size)
  const stream = {
    name: 'stream',
    is: 'minute of an open stream',
    daily: streams * WORKING_HOURS * 60,
    peak: streams / 60,
  }
  return { acts: [...acts, campaign, stream], streams }
}
