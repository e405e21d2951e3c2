// Written by `python -m tools.page_types` from the types in page_types.py.

export interface Ask {
  code: string;
  kind: 'confirm' | 'cards' | 'number' | 'choice';
  text: string;
  button: string;
  seat: number | null;
  head: string;
  tail: string;
  telling: 'points' | 'hands' | 'cards';
  least: number;
  most: number;
  scale: number;
  barred: (number)[];
  ranks: boolean;
  later: boolean;
  cards: (string)[] | null;
  choices: ({
    line: string;
    text: string;
    cards: (string)[];
    points: number | null;
  })[];
  beside: string | null;
}

export interface Award {
  seat: number;
  points: number;
  reason: string;
  cards: (string)[];
  text: string;
}

export interface Choice {
  line: string;
  points: number;
  awards: (Award)[];
  spoken: (string)[];
  text: string;
}

export interface Far {
  words: (string)[];
  numbers: (string)[];
  accepting: boolean;
  late: boolean;
  unanswered: boolean;
  connected: boolean;
  trouble: string;
  houses: ({
    name: string;
    here: boolean;
    minutes: number | null;
    number: number;
    playing: boolean;
    offered: boolean;
    invites: string;
    game: string;
    offering: boolean;
    active: boolean;
    gone: string;
    outdated: string;
    own: string;
    partner: string;
  })[];
  onlookers: ({
    name: string;
    here: boolean;
    minutes: number | null;
    number: number;
    shows: boolean;
    over: boolean;
  })[];
  looking: string | null;
  left: number | null;
  game: {
    name: string;
    number: number;
    seats: (number)[];
    turn: number;
    due: '' | 'ours' | 'theirs' | 'dealing';
    asks: string | null;
    question: {
      number: number;
      line: string;
    } | null;
    asked: boolean;
    declined: string | null;
    stand: boolean;
    draws: boolean;
    aside: string;
    stopped: string | null;
    done: boolean;
  } | null;
  link: string;
  tab_link: string;
  broker: string;
  code: string;
  qr: (string)[];
  games: (string)[];
  usual: string;
}

export interface Move {
  verb: string;
  line: string;
  text: string;
  seat: number | null;
  points: number;
  why: string;
  awards: (Award)[];
  counted: {
    cards: (string)[];
    spoken: (string)[];
  } | null;
  back: number;
  place: number;
}

export interface Player {
  seat: number;
  level: number;
  alone: boolean;
  named: boolean;
  sealed: {
    commitment: string;
    cut: string;
    own_cut: boolean;
    secret: string | null;
  } | null;
  said: {
    number: number;
    cards: (string)[];
    places: (number)[];
    text: string;
    where: string;
    spoken: string;
  } | null;
  plays: boolean;
  deals: boolean;
  dealt_game: string;
  waits: string | null;
  cannot: string;
  lacks: string;
  uncounted: boolean;
  dealing: boolean;
}

export interface State {
  phase: string | null;
  turn: number | null;
  dealer: number | null;
  count: number | null;
  left: number | null;
  trump: string | null;
  target: number | null;
  goal: number | null;
  lines: ({
    name: string;
    score: number;
  })[];
  winner: number | null;
  over: boolean;
  drawn: boolean;
  margin: string | null;
  readouts: ({
    code: string;
    text: string;
  })[];
  worth: string;
  number: number;
  viewer: number | null;
  layout: string;
  session: string | null;
  game: string | null;
  title: string;
  rules: ({
    name: string;
    value: string;
    text: string;
    told: string;
  })[];
  seats: (string)[];
  sides: ({
    names: (string)[];
    seats: (number)[];
    score: number;
    before: number;
    won: number;
  })[];
  laid: (string)[];
  starter: string | null;
  telling: 'points' | 'hands' | 'cards';
  light: 'night' | 'dim' | 'bright' | null;
  voice: 'off' | 'counts' | 'questions' | 'everything' | null;
  sounds: 'on' | 'off' | null;
  asks: ({
    code: string;
    kind: 'confirm' | 'cards' | 'number' | 'choice';
    text: string;
    button: string;
    seat: number | null;
    head: string;
    tail: string;
    telling: 'points' | 'hands' | 'cards';
    least: number;
    most: number;
    scale: number;
    barred: (number)[];
    ranks: boolean;
    later: boolean;
    cards: (string)[] | null;
    choices: ({
      line: string;
      text: string;
      cards: (string)[];
      points: number | null;
    })[];
    beside: string | null;
    due: boolean;
  })[];
  claims: boolean;
  cut: {
    cards: ({
      seat: number;
      card: string;
    })[];
    rule: string;
  } | null;
  hints: (number)[];
  pegs: (number)[];
  held: (string)[];
  moves: (Move)[];
  length: number;
  begun: boolean;
  happened: {
    text: string;
    seat: number | null;
    points: number;
    moment: string | null;
  } | null;
  spoken: string;
  undo: boolean;
  redo: boolean;
  unfinished: string | null;
  features: (string)[];
  buttons: ({
    text: string;
    post: string;
  })[];
  judged: boolean;
  hint: boolean;
  counts: (boolean)[];
}
