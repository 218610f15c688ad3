const said = {
  'What is 2 + 2?': '4',
  'Name a river.': 'The Rhine, I think, or another.',
  'Count to three.': '1, 2, 3',
};

module.exports = class {
  id() {
    return 'recorded';
  }

  async callApi(prompt) {
    return { output: said[prompt.replace('Please: ', '')] };
  }
};
