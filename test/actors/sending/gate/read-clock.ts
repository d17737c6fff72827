// A wall clock that was read every minute, by Intl alone: the slow oracle of the calendar rules. It
// knows no offsets, no changes and no calendar; it only ever compares one reading with the one
// before.

import { dayMs, hourMs, type Millis, minuteMs } from '../../../../engine/base/brand.ts';

export class ReadClock {
  readonly startMs: Millis;
  /** Days since 1 January 1970, by minute. */
  readonly days: Int32Array;
  /** Minutes of the day, by minute. */
  readonly minutes: Int16Array;

  constructor(zone: string, startMs: Millis, lengthMs: Millis) {
    const count = lengthMs / minuteMs;
    this.startMs = startMs;
    this.days = new Int32Array(count);
    this.minutes = new Int16Array(count);
    const read = reader(zone);
    for (let index = 0; index < count; index++) {
      const { day, minute } = read(startMs + index * minuteMs);
      this.days[index] = day;
      this.minutes[index] = minute;
    }
  }

  /** The minute that an instant lies in. */
  indexOf(ms: Millis): number {
    return Math.floor((ms - this.startMs) / minuteMs);
  }

  instantOf(index: number): Millis {
    return this.startMs + index * minuteMs;
  }

  /**
   * For every day that was shown, when its time was reached first, or was passed over by a clock
   * put forward.
   */
  timesOf(minuteOfDay: number): { readonly day: number; readonly atMs: Millis }[] {
    const { days, minutes } = this;
    const shown = new Set(days);
    const times: { day: number; atMs: Millis }[] = [];
    let furthest = (days[0] as number) * 1440 + (minutes[0] as number);
    for (let index = 1; index < days.length; index++) {
      const reading = (days[index] as number) * 1440 + (minutes[index] as number);
      for (let day = Math.floor(furthest / 1440); day <= Math.floor(reading / 1440); day++) {
        const wanted = day * 1440 + minuteOfDay;
        if (furthest < wanted && wanted <= reading && shown.has(day))
          times.push({ day, atMs: this.instantOf(index) });
      }
      if (reading > furthest) furthest = reading;
    }
    return times;
  }
}

/**
 * When the clock of a zone was changed in a year: read every six hours, and halved from there to
 * the minute.
 */
export function changesIn(zone: string, year: number): Millis[] {
  const read = reader(zone);
  const aheadAt = (ms: Millis) => {
    const { day, minute } = read(ms);
    return day * dayMs + minute * minuteMs - ms;
  };
  const changes: Millis[] = [];
  const stepMs = 6 * hourMs;
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += stepMs) {
    const before = aheadAt(ms);
    if (before === aheadAt(ms + stepMs)) continue;
    let low = ms;
    let high = ms + stepMs;
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
      if (aheadAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

/** What a zone's clock reads, from the text that Intl writes of it. */
export function reader(zone: string): (ms: Millis) => { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (ms) => {
    const text = format.format(ms); // 08/03/2026, 02:30
    const part = (from: number, to: number) => Number(text.slice(from, to));
    const day = Date.UTC(part(6, 10), part(3, 5) - 1, part(0, 2)) / dayMs;
    return { day, minute: part(12, 14) * 60 + part(15, 17) };
  };
}

/** A change of a zone's clock, and the clock as it read around it. */
export interface Night {
  readonly zone: string;
  readonly changeMs: Millis;
  readonly clock: ReadClock;
}

/**
 * Fifty hours on both sides of what is worth looking at: every kind of change, month ends, leap
 * days, and years to 2100.
 */
export function nights(): Night[] {
  const at = (zone: string, changeMs: Millis): Night => ({
    zone,
    changeMs,
    clock: new ReadClock(zone, changeMs - 50 * hourMs, 100 * hourMs),
  });
  return [
    ...changingZones.flatMap(([zone, ...years]) =>
      years.flatMap((year) => changesIn(zone, year).map((changeMs) => at(zone, changeMs))),
    ),
    ...stillDays.map(([zone, date]) => at(zone, Date.parse(date))),
  ];
}

/** Zones, and years in which their clocks were or will be changed. */
const changingZones: readonly (readonly [zone: string, ...years: number[]])[] = [
  ['America/New_York', 2026, 2099],
  ['America/Los_Angeles', 2007],
  ['America/St_Johns', 2010, 2026],
  ['America/Havana', 2026],
  ['America/Santiago', 2026],
  ['America/Sao_Paulo', 2018],
  ['America/Asuncion', 2023],
  ['America/Caracas', 2007, 2016],
  ['America/Nuuk', 2023, 2027],
  ['America/Scoresbysund', 2024],
  ['Atlantic/Azores', 2026],
  ['Europe/London', 2026],
  ['Europe/Berlin', 2028, 2100],
  ['Europe/Dublin', 2026],
  ['Europe/Chisinau', 2020],
  ['Africa/Casablanca', 2024, 2026],
  ['Africa/Cairo', 2025],
  ['Africa/Juba', 2021],
  ['Antarctica/Troll', 2026],
  ['Asia/Gaza', 2011, 2026],
  ['Asia/Beirut', 2022, 2026],
  ['Asia/Jerusalem', 2026],
  ['Asia/Kathmandu', 1986],
  ['Asia/Pyongyang', 2015, 2018],
  ['Asia/Tehran', 2022],
  ['Australia/Adelaide', 2026],
  ['Australia/Lord_Howe', 2026, 2060],
  ['Pacific/Apia', 2011],
  ['Pacific/Chatham', 2026],
  ['Pacific/Kwajalein', 1993],
  ['Pacific/Norfolk', 2026],
];

/** Ends of months and years, and leap days, where no clock changes. */
const stillDays: readonly (readonly [zone: string, date: string])[] = [
  ['UTC', '2026-12-31'],
  ['Asia/Kathmandu', '2028-02-29'],
  ['Pacific/Kiritimati', '2026-07-01'],
  ['Pacific/Marquesas', '2100-02-28'],
  ['Etc/GMT+12', '2000-02-29'],
  ['Asia/Kolkata', '2027-03-01'],
];
