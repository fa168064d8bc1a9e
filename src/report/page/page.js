'use strict';
// Creates text only (`textContent`): what a page shows is never read as markup.
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const make = function (name, text, parent) {
    const element = document.createElement(name);
    element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const players = [];

  // Marks a line of the source, and scrolls to it.
  const point = function (number) {
    document.querySelectorAll('.line.now').forEach(function (line) { line.classList.remove('now'); });
    const line = document.getElementById('line' + number);
    if (!line) { return; }
    line.classList.add('now');
    const source = line.parentElement;
    source.scrollTop = line.offsetTop - source.offsetTop - source.clientHeight / 2;
  };

  // The slider of an execution, and the state after the chosen step.
  const player = function (run, section) {
    const place = section.querySelector('.player');
    const rows = Array.from(section.querySelectorAll('.steps tbody tr'));
    if (rows.length === 0) { return; }
    const back = make('button', '‹', place);
    back.setAttribute('aria-label', 'previous step');
    const slider = make('input', '', place);
    slider.type = 'range';
    slider.min = 1;
    slider.max = rows.length;
    slider.value = 1;
    slider.setAttribute('aria-label', 'step');
    const next = make('button', '›', place);
    next.setAttribute('aria-label', 'next step');
    const counter = make('span', '', place);
    const state = make('div', '', place);
    state.className = 'state';
    const show = function (step, follow) {
      const number = Math.min(rows.length, Math.max(1, step));
      slider.value = number;
      counter.textContent = 'step ' + number + ' of ' + rows.length;
      rows.forEach(function (row, index) { row.classList.toggle('now', index + 1 === number); });
      const now = run.steps[number - 1];
      if (follow) { point(now.line); }
      state.textContent = '';
      const memory = make('span', '', state);
      make('b', 'memory ', memory);
      make('span', now.memory.map(function (cell) { return cell[0] + ' = ' + cell[1]; }).join(', '), memory);
      const buffers = make('span', '', state);
      make('b', 'buffers ', buffers);
      const items = now.buffers.map(function (own) { return own.thread + ': ' + own.items.join(', '); });
      make('span', items.length === 0 ? 'empty' : items.join('; '), buffers);
    };
    const at = function () { return Number(slider.value); };
    back.addEventListener('click', function () { show(at() - 1, true); });
    next.addEventListener('click', function () { show(at() + 1, true); });
    slider.addEventListener('input', function () { show(at(), true); });
    rows.forEach(function (row, index) {
      row.addEventListener('click', function () { active = players.indexOf(own); show(index + 1, true); });
    });
    const own = { section: section, show: show, at: at };
    section.addEventListener('focusin', function () { active = players.indexOf(own); });
    players.push(own);
    // Executions that a fence prevents are not shown at first.
    show(1, players.length === 1 && !document.querySelector('.fences'));
  };
  let active = 0;
  if (data) {
    data.runs.forEach(function (run, index) { player(run, document.getElementById('run' + index)); });
  }
  document.addEventListener('keydown', function (event) {
    const own = players[active];
    const isField = event.target.tagName === 'INPUT' && event.target.type !== 'checkbox';
    if (!own || own.section.hidden || isField || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      own.show(own.at() + (event.key === 'ArrowRight' ? 1 : -1), true);
      event.preventDefault();
    }
  });

  // Fences: what becomes possible without those that are removed.
  const fences = Array.from(document.querySelectorAll('.fences input'));
  const status = document.querySelector('.without');
  const toggle = function () {
    point(0);
    const removed = fences.filter(function (fence) { return !fence.checked; });
    fences.forEach(function (fence) {
      if (fence.dataset.run === undefined) { return; }
      const section = document.getElementById('run' + fence.dataset.run);
      section.hidden = fence.checked;
      if (!fence.checked) {
        active = players.findIndex(function (own) { return own.section === section; });
        if (active >= 0) { players[active].show(players[active].at(), true); }
      }
    });
    const unknown = removed.filter(function (fence) { return fence.dataset.run === undefined; });
    status.textContent = removed.length === 0 ? 'With all fences in place, none of this can happen. Remove one to see what it prevents.'
      : unknown.length === 0 ? 'Without the removed fences, the executions below are possible.'
        : 'Without the removed fences, the program is not repaired; no execution is stored for ' + unknown.length + ' of them.';
  };
  fences.forEach(function (fence) { fence.addEventListener('change', toggle); });
  if (fences.length > 0) { toggle(); }

  // The filters of a table.
  const filter = document.getElementById('filter');
  if (filter) {
    const kinds = Array.from(document.querySelectorAll('[data-kind]'));
    const rows = Array.from(document.querySelectorAll('.results tbody tr'));
    const apply = function () {
      const words = filter.value.toLowerCase().split(' ').filter(function (word) { return word !== ''; });
      const off = kinds.filter(function (kind) { return !kind.checked; });
      let shown = 0;
      rows.forEach(function (row) {
        const text = row.textContent.toLowerCase();
        const fits = words.every(function (word) { return text.includes(word); })
          && !off.some(function (kind) { return row.classList.contains(kind.dataset.kind); });
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      document.getElementById('count').textContent = shown + ' of ' + rows.length + ' results are shown.';
    };
    filter.addEventListener('input', apply);
    kinds.forEach(function (kind) { kind.addEventListener('change', apply); });
    apply();
  }
  document.documentElement.classList.add('ready');
}());
