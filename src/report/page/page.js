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

  // Scrolls the page so that an element is between this height and the end of the window, if it is not.
  const reveal = function (element, top) {
    const box = element.getBoundingClientRect();
    const margin = 8;
    if (box.top < top) {
      window.scrollBy(0, box.top - top - margin);
    } else if (box.bottom > window.innerHeight) {
      window.scrollBy(0, Math.min(box.bottom - window.innerHeight + margin, box.top - top - margin));
    }
  };

  // The slider of an execution, and the state after the chosen step.
  const player = function (run, section) {
    const place = section.querySelector('.player');
    const rows = Array.from(section.querySelectorAll('.steps tbody tr'));
    const events = Array.from(section.querySelectorAll('figure .event'));
    const figure = section.querySelector('figure');
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
    // A line of the state: what this step changed is marked.
    const line = function (name, items, before) {
      make('b', name, state);
      const all = make('div', '', state);
      items.forEach(function (item) { make(before.includes(item) ? 'span' : 'mark', item, all); });
      if (items.length === 0) { make(before.length === 0 ? 'span' : 'mark', 'empty', all); }
    };
    const cells = function (step) { return step.memory.map(function (cell) { return cell[0] + ' = ' + cell[1]; }); };
    const buffers = function (step) {
      return step.buffers.map(function (own) { return own.thread + ': ' + own.items.join(', '); });
    };
    // `how`: 'rows' and 'figure' scroll to the step there, and 'still' does not scroll.
    const show = function (step, how) {
      const number = Math.min(rows.length, Math.max(1, step));
      slider.value = number;
      counter.textContent = 'step ' + number + ' of ' + rows.length;
      rows.forEach(function (row, index) { row.classList.toggle('now', index + 1 === number); });
      const at = rows[number - 1].dataset.at;
      events.forEach(function (event) { event.classList.toggle('now', event.dataset.at === at); });
      const now = run.steps[number - 1];
      const before = number === 1 ? run.start : run.steps[number - 2];
      state.textContent = '';
      line('memory', cells(now), cells(before));
      line('buffers', buffers(now), buffers(before));
      if (how === 'still') { return; }
      point(now.line);
      const top = place.getBoundingClientRect().height;
      const drawn = events.find(function (event) { return event.dataset.at === at; });
      if (how === 'figure' && drawn) { reveal(drawn, top); } else { reveal(rows[number - 1], top); }
    };
    const at = function () { return Number(slider.value); };
    // A reader who looks at the picture, with no step in view, goes on looking at it.
    const looks = function () {
      if (!figure) { return 'rows'; }
      const top = place.getBoundingClientRect().bottom;
      const seen = function (element) {
        const box = element.getBoundingClientRect();
        return box.bottom > top && box.top < window.innerHeight;
      };
      return seen(figure) && !rows.some(seen) ? 'figure' : 'rows';
    };
    const go = function (step) { show(step, looks()); };
    back.addEventListener('click', function () { go(at() - 1); });
    next.addEventListener('click', function () { go(at() + 1); });
    slider.addEventListener('input', function () { go(at()); });
    rows.forEach(function (row, index) {
      row.addEventListener('click', function () { active = players.indexOf(own); show(index + 1, 'rows'); });
    });
    events.forEach(function (event) {
      event.addEventListener('click', function () {
        const index = rows.findIndex(function (row) { return row.dataset.at === event.dataset.at; });
        if (index >= 0) { active = players.indexOf(own); show(index + 1, 'figure'); }
      });
    });
    const own = { section: section, show: show, go: go, at: at };
    const folded = section.querySelector('details');
    if (folded) {
      folded.addEventListener('toggle', function () {
        if (folded.open) { active = players.indexOf(own); point(run.steps[at() - 1].line); }
      });
    }
    section.addEventListener('focusin', function () { active = players.indexOf(own); });
    players.push(own);
    show(1, 'still');
    if (players.length === 1 && !document.querySelector('.fences [data-run]')) { point(run.steps[0].line); }
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
      own.go(own.at() + (event.key === 'ArrowRight' ? 1 : -1));
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
        if (active >= 0) {
          players[active].show(players[active].at(), 'still');
          point(data.runs[active].steps[players[active].at() - 1].line);
        }
      }
    });
    const unknown = removed.filter(function (fence) { return fence.dataset.run === undefined; });
    status.textContent = removed.length === 0 ? 'With all fences in place, none of this can happen. Remove one to see what it prevents.'
      : unknown.length === 0 ? 'Without the removed fences, the executions below are possible.'
        : 'Without the removed fences, the program is not repaired; no execution is stored for ' + unknown.length + ' of them.';
  };
  fences.forEach(function (fence) { fence.addEventListener('change', toggle); });
  if (fences.length > 0) { toggle(); }

  // The filters of the results of a corpus. What matches words is opened.
  const filter = document.getElementById('filter');
  if (filter) {
    const kinds = Array.from(document.querySelectorAll('[data-kind]'));
    const files = Array.from(document.querySelectorAll('details.file')).map(function (file) {
      const folder = file.parentElement;
      const name = (folder.firstElementChild.textContent + '/' + file.firstElementChild.textContent).toLowerCase();
      const rows = Array.from(file.querySelectorAll('.results tbody tr')).map(function (row) {
        return { row: row, text: name + ' ' + row.textContent.toLowerCase() };
      });
      return { file: file, folder: folder, rows: rows };
    });
    const folders = Array.from(document.querySelectorAll('details.folder'));
    const all = files.reduce(function (sum, file) { return sum + file.rows.length; }, 0);
    const apply = function (opens) {
      const words = filter.value.toLowerCase().split(' ').filter(function (word) { return word !== ''; });
      const off = kinds.filter(function (kind) { return !kind.checked; });
      let shown = 0;
      files.forEach(function (file) {
        let own = 0;
        file.rows.forEach(function (line) {
          const fits = words.every(function (word) { return line.text.includes(word); })
            && !off.some(function (kind) { return line.row.classList.contains(kind.dataset.kind); });
          line.row.hidden = !fits;
          own += fits ? 1 : 0;
        });
        file.file.hidden = own === 0;
        if (opens && words.length > 0 && own > 0) { file.folder.open = true; }
        shown += own;
      });
      folders.forEach(function (folder) {
        folder.hidden = !Array.from(folder.querySelectorAll('details.file')).some(function (file) { return !file.hidden; });
      });
      document.getElementById('count').textContent = shown + ' of ' + all + ' results are shown.';
    };
    filter.addEventListener('input', function () { apply(true); });
    kinds.forEach(function (kind) { kind.addEventListener('change', function () { apply(false); }); });
    document.getElementById('failures').addEventListener('click', function () {
      kinds.forEach(function (kind) { kind.checked = kind.dataset.kind === 'r1'; });
      apply(false);
    });
    apply(false);
  }
  document.documentElement.classList.add('ready');
}());
